import { currencies, custodyAssets } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import { migrationFoldersOf } from '@holdfast/service-kit';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { contractStatuses } from '../domain/contract-states.js';
import { contractTypes } from '../domain/contract.js';
import { escrowAdapter } from '../service.js';
import { entities, transactionStates } from './schema.js';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await serviceDatabase(escrowAdapter);
  const migrations = migrationFoldersOf(escrowAdapter);
  database = await server.open({ service: 'escrow-adapter', migrations, entities });
});

afterAll(async () => {
  await server.drop();
});

type Values = Readonly<Record<string, unknown>>;

async function insert(table: string, values: Values): Promise<void> {
  const columns = Object.keys(values);
  const places = columns.map((_, index) => `$${index + 1}`);
  const sql = `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`;
  await database.pool.query(sql, Object.values(values));
}

let count = 0;
const hash = (): string => (count += 1).toString(16).padStart(64, '0');

function aContract(given: Values = {}): Values {
  const id = hash();
  const parties = { buyer_id: 'usr_1', seller_id: 'usr_2', marketplace_id: 'mkt_1', order_id: 'ord_1' };
  const terms = { contract_type: 'single-release', amount_units: 1n, currency: 'USDC', platform_fee_basis_points: 500 };
  const rest = { title: '', description: '', milestones: '[]', created_at: '2026-01-01T00:00:00Z' };
  return { escrow_id: `esc_${id}`, ...parties, ...terms, ...rest, status: 'CREATED', contract_id: `C${id}`, ...given };
}

function aTransaction(given: Values = {}): Values {
  const id = hash();
  const rest = { step: 'fund', sequence: 1n, envelope: '', valid_until: '2026-01-01T00:00:00Z', first_ledger: 1, state: 'OPEN' };
  return { hash: id, request_hash: id, source_account: `G${id}`, ...rest, ...given };
}

const refused = { code: '23514' };

describe('the table contracts', () => {
  const holds = {
    contract_type: contractTypes,
    currency: currencies,
    status: contractStatuses,
    platform_fee_basis_points: [0, 9_900],
  };
  it.each(Object.entries(holds))('accepts every %s of the domain', async (column, values) => {
    for (const value of values) await insert('contracts', aContract({ [column]: value }));
  });

  it.each([
    ['contract_type', 'no-release'],
    ['currency', 'EUR'],
    ['status', 'LOST'],
    ['amount_units', 0n],
    ['platform_fee_basis_points', -1],
    ['platform_fee_basis_points', 9_901],
  ])('refuses %s %s', async (column, value) => {
    await expect(insert('contracts', aContract({ [column]: value }))).rejects.toMatchObject(refused);
  });

  it.each(['REQUESTED', 'FAILED'])('accepts %s without a contract id', async (status) => {
    await insert('contracts', aContract({ status, contract_id: null }));
  });

  it.each(['CREATED', 'FUNDED', 'SETTLED'])('refuses %s without a contract id', async (status) => {
    await expect(insert('contracts', aContract({ status, contract_id: null }))).rejects.toMatchObject(refused);
  });
});

describe('the release mode of a contract', () => {
  it('is milestone only for a multi-release contract, and settled milestones need it', async () => {
    const settled = { milestones_settled: '[{"index":0,"decision":"RELEASE"}]' };
    const byMilestone = { contract_type: 'multi-release', release_mode: 'milestone' };
    await insert('contracts', aContract({ ...byMilestone, ...settled }));
    for (const wrong of [{ ...byMilestone, contract_type: 'single-release' }, { release_mode: 'all' }, settled])
      await expect(insert('contracts', aContract(wrong))).rejects.toMatchObject(refused);
  });
});

describe('the external payout of a contract', () => {
  it('needs a SETTLED contract', async () => {
    await insert('contracts', aContract({ status: 'SETTLED', external_payout: '{}' }));
    await expect(insert('contracts', aContract({ status: 'FUNDED', external_payout: '{}' }))).rejects.toMatchObject(refused);
  });
});

describe('the table saga_resolutions', () => {
  async function aResolution(given: Values = {}): Promise<Values> {
    const id = hash();
    const intent = { id: `evt_${id}`, kind: 'fund', subject: `esc_${id}`, priority: 1, marketplace_id: 'mkt_1' };
    await insert('intents', { ...intent, correlation_id: id, payload: '{}', saga_run_id: `run_${id}` });
    const request = { requested_by: 'Ada', requested_at: '2026-01-01T00:00:00Z', evidence: 'ticket 7' };
    return { saga_run_id: `run_${id}`, intent_id: `evt_${id}`, outcome: 'failed', ...request, ...given };
  }
  const succeeded = { outcome: 'succeeded', transaction_hash: 'a'.repeat(64) };
  const approved = { approved_by: 'Grace', approval_evidence: 'I looked', resolved_at: '2026-01-02T00:00:00Z' };

  it.each([
    ['a failure that waits for a second person', {}],
    ['a failure without a second person', { resolved_at: '2026-01-02T00:00:00Z' }],
    ['an approved failure', approved],
    ['a success', { ...succeeded, ...approved, contract_id: 'C1' }],
  ])('accepts %s', async (_, given) => insert('saga_resolutions', await aResolution(given)));

  it.each([
    ['another outcome', { outcome: 'maybe' }],
    ['a success without a transaction', { outcome: 'succeeded' }],
    ['a malformed hash', { transaction_hash: 'A'.repeat(64) }],
    ['an approval without evidence', { ...approved, approval_evidence: null }],
    ['an approval that has not resolved it', { ...approved, resolved_at: null }],
    ['a contract of a failure', { contract_id: 'C1' }],
  ])('refuses %s', async (_, given) => {
    await expect(insert('saga_resolutions', await aResolution(given))).rejects.toMatchObject(refused);
  });

  it('refuses a second resolution of a run, and one without an intent', async () => {
    const first = await aResolution();
    await insert('saga_resolutions', first);
    await expect(insert('saga_resolutions', first)).rejects.toMatchObject({ code: '23505' });
    const withoutIntent = await aResolution({ intent_id: 'evt_unknown' });
    await expect(insert('saga_resolutions', withoutIntent)).rejects.toMatchObject({ code: '23503' });
  });
});

describe('the table ledger_transactions', () => {
  it.each(transactionStates)('accepts the state %s', (state) => insert('ledger_transactions', aTransaction({ state })));

  it('refuses any other state', async () => {
    await expect(insert('ledger_transactions', aTransaction({ state: 'LOST' }))).rejects.toMatchObject(refused);
  });

  it.each(['', 'a'.repeat(63), 'A'.repeat(64), `${'a'.repeat(64)}\n`])('refuses the hash %j', async (text) => {
    await expect(insert('ledger_transactions', aTransaction({ hash: text }))).rejects.toMatchObject(refused);
    await expect(insert('ledger_transactions', aTransaction({ request_hash: text }))).rejects.toMatchObject(refused);
  });

  it('accepts one open transaction per source account', async () => {
    const open = aTransaction();
    await insert('ledger_transactions', open);
    const { source_account } = open;
    await expect(insert('ledger_transactions', aTransaction({ source_account }))).rejects.toMatchObject({ code: '23505' });
    await insert('ledger_transactions', aTransaction({ source_account, state: 'DEAD' }));
  });
});

describe('the table linked_wallets', () => {
  it('accepts a key once per user, and one primary link', async () => {
    const user = { marketplace_id: 'mkt_1', type: 'BOTH', status: 'ACTIVE', version: 1, received_at: '2026-01-01T00:00:00Z' };
    for (const id of ['usr_l1', 'usr_l2']) await insert('users', { ...user, id });
    const link = { user_id: 'usr_l1', marketplace_id: 'mkt_1', connected_at: '2026-01-01T00:00:00Z' };
    await insert('linked_wallets', { ...link, id: 'wal_1', public_key: 'G1', is_primary: true });
    await insert('linked_wallets', { ...link, id: 'wal_2', public_key: 'G2', is_primary: false });
    await insert('linked_wallets', { ...link, id: 'wal_3', user_id: 'usr_l2', public_key: 'G1', is_primary: true });
    for (const again of [
      { public_key: 'G1', is_primary: false },
      { public_key: 'G3', is_primary: true },
    ])
      await expect(insert('linked_wallets', { ...link, id: 'wal_4', ...again })).rejects.toMatchObject({ code: '23505' });
  });
});

describe('the table wallet_holdings', () => {
  it('accepts custody assets only', async () => {
    const sealed = { sealed_seed: Buffer.alloc(1), wrapped_key: Buffer.alloc(1), master_key_id: 'key' };
    const wallet = { user_id: 'usr_1', id: 'wal_1', marketplace_id: 'mkt_1', address: 'G1', created_at: '2026-01-01T00:00:00Z' };
    await insert('wallets', { ...wallet, ...sealed });
    for (const asset of custodyAssets) await insert('wallet_holdings', { user_id: 'usr_1', asset, units: 1n });
    await expect(insert('wallet_holdings', { user_id: 'usr_1', asset: 'EUR', units: 1n })).rejects.toMatchObject(refused);
  });
});
