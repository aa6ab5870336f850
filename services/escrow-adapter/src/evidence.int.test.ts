import { Account, Asset, BASE_FEE, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import {
  aCreatedContract,
  aFundedContract,
  requestContract,
  requestFunding,
  requestSettlement,
  settlementReplies,
  type TestOrder,
} from './testing/orders.js';
import { doOutside, sellerOf } from './testing/outside-steps.js';
import { providerOutage } from './testing/provider-outage.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { contractsOf } from './testing/sandbox-state.js';
import { submitOutside } from './testing/submit-outside.js';
import type { ContractEntries, ContractEntry } from './use-cases/entry-ports.js';
import type { Role } from '@holdfast/ledger-network/signing';

const outage = providerOutage();
let adapter: RunningAdapter;
let submissions = 0;
/** Hashes that the provider was informed of. */
const informed: string[] = [];
/** Runs before each submission. */
let beforeSubmission: (() => Promise<void>) | undefined;
/** Changes what the network says about contracts. */
let falsify: ((read: ContractEntries) => ContractEntries) | undefined;

beforeAll(async () => {
  adapter = await startAdapter({
    wrapProvider: (real) => ({
      ...outage.wrapProvider(real),
      informOfDeployment: (hash, options) => {
        informed.push(hash);
        return real.informOfDeployment(hash, options);
      },
    }),
    wrapRpc: (real) => {
      const rpc = outage.wrapRpc(real);
      return {
        ...rpc,
        submit: async (feeBump) => {
          submissions += 1;
          await beforeSubmission?.();
          return rpc.submit(feeBump);
        },
        contractEntries: async (contracts, ...accounts) => {
          const read = await rpc.contractEntries(contracts, ...accounts);
          return falsify?.(read) ?? read;
        },
      };
    },
  });
});
afterEach(async () => {
  outage.end();
  beforeSubmission = undefined;
  falsify = undefined;
  await adapter.clearFaults();
});
afterAll(() => adapter.stop());

type Stored = { readonly step: string; readonly state: string; readonly sourceAccount: string; readonly ledger: number | null };

const transactionsOf = ({ id }: Envelope): Promise<readonly Stored[]> =>
  adapter.database.asAdmin(
    `select step, state, source_account as "sourceAccount", ledger
     from escrow_adapter.ledger_transactions where intent_id = $1 order by created_at`,
    [id],
  );
const statesOf = async (command: Envelope) => (await transactionsOf(command)).map(({ step, state }) => `${step} ${state}`);
const balanceOf = async ({ orderId }: TestOrder) => (await contractsOf(adapter, orderId)).map(({ balance }) => balance);
const repliesAbout = ({ orderId }: TestOrder) =>
  adapter.published.filter(({ payload }) => Object.values(payload as object).includes(orderId)).map(({ type }) => type);
const fundingReply = async ({ orderId }: TestOrder) =>
  (await adapter.waitForReply(orderId, 'escrow.funded', 'escrow.funding_failed')).type;
const settlementReply = async ({ orderId }: TestOrder) => (await adapter.waitForReply(orderId, ...settlementReplies)).type;

/** Uses the next sequence number of an account, as a thief of its key would. */
async function overtake(role: Role): Promise<void> {
  const { network, keyOf } = adapter.accounts;
  const key = keyOf(role);
  const sequence = (await network.account(key.publicKey()))?.sequence ?? 0n;
  const source = new Account(key.publicKey(), String(sequence));
  const transaction = new TransactionBuilder(source, { fee: BASE_FEE, networkPassphrase: network.networkPassphrase })
    .addOperation(Operation.payment({ destination: key.publicKey(), asset: Asset.native(), amount: '1' }))
    .setTimeout(30)
    .build();
  transaction.sign(key);
  await submitOutside(adapter.sandbox, transaction.toXDR());
}

describe('a transaction whose sequence number was used by another one', () => {
  const untilOpen = (command: Envelope) =>
    eventually(async () => {
      const open = (await transactionsOf(command)).find(({ state }) => state === 'OPEN');
      if (open === undefined) throw new Error('no transaction is open');
      return open;
    });

  it('is built again, and the contract is funded once', async () => {
    const order = await aCreatedContract(adapter);
    outage.now.losesSubmissions = true;
    const command = await requestFunding(adapter, order);
    const { sourceAccount } = await untilOpen(command);
    const channels = Array.from({ length: 3 }, (_, treasury): Role => ({ treasury }));
    const role = channels.find((channel) => adapter.accounts.keyOf(channel).publicKey() === sourceAccount) ?? 'platform';
    await overtake(role);
    outage.now.losesSubmissions = false;
    expect(await fundingReply(order)).toBe('escrow.funded');
    expect(await statesOf(command)).toEqual(['fund DEAD', 'fund LANDED']);
    expect(await balanceOf(order)).toEqual([100]);
  });

  it('is built again in a settlement, which pays once', async () => {
    const order = await aFundedContract(adapter);
    outage.now.losesSubmissions = true;
    const command = await requestSettlement(adapter, order, { decision: 'RELEASE' });
    await untilOpen(command);
    await overtake(sellerOf(order));
    outage.now.losesSubmissions = false;
    expect(await settlementReply(order)).toBe('escrow.released');
    expect(await statesOf(command)).toEqual(['complete:0 DEAD', 'complete:0 LANDED', 'approve:0 LANDED', 'release LANDED']);
    expect(await balanceOf(order)).toEqual([0]);
  });
});

it('the provider is informed of the deployment and of no other transaction', async () => {
  const order = await aFundedContract(adapter);
  await requestSettlement(adapter, order, { decision: 'RELEASE' });
  expect(await settlementReply(order)).toBe('escrow.released');
  const rows = await adapter.database.asAdmin<{ readonly hash: string; readonly step: string }>(
    `select hash, step from escrow_adapter.ledger_transactions join escrow_adapter.intents on intents.id = intent_id
     where subject = $1`,
    [order.escrowId],
  );
  expect(rows).toHaveLength(5);
  expect(rows.filter(({ hash }) => informed.includes(hash)).map(({ step }) => step)).toEqual(['deploy']);
});

describe('a transaction that fails on the network', () => {
  it('ends the funding without an effect, and its ledger is stored', async () => {
    const order = await aCreatedContract(adapter);
    // The contract refuses a funding that was built for other terms than it has when the funding lands.
    let isChanged = false;
    beforeSubmission = async () => {
      if (isChanged) return;
      isChanged = true;
      await doOutside(adapter, order, { does: 'complete', index: 0 }, sellerOf(order));
    };
    const command = await requestFunding(adapter, order);
    expect(await fundingReply(order)).toBe('escrow.funding_failed');
    expect(await transactionsOf(command)).toMatchObject([{ step: 'fund', state: 'FAILED', ledger: expect.any(Number) }]);
    expect(await balanceOf(order)).toEqual([0]);
  });
});

describe('a submission that is only claimed to be successful', () => {
  it('books nothing, and the same transaction lands later', async () => {
    const order = await aCreatedContract(adapter);
    await adapter.fault('fund', 'claims-success');
    const before = submissions;
    const command = await requestFunding(adapter, order);
    await eventually(() => expect(submissions).toBeGreaterThanOrEqual(before + 3));
    expect([await balanceOf(order), repliesAbout(order)]).toEqual([[0], ['escrow.created']]);
    await adapter.clearFaults();
    expect(await fundingReply(order)).toBe('escrow.funded');
    expect(await statesOf(command)).toEqual(['fund LANDED']);
    expect(await balanceOf(order)).toEqual([100]);
  });

  it.each([
    ['RELEASE', 'release', 'escrow.released'],
    ['REFUND', 'resolve', 'escrow.refunded'],
  ] as const)('delays a %s at %s', async (decision, step, reply) => {
    const order = await aFundedContract(adapter);
    await adapter.fault(step, 'claims-success', { times: 2 });
    await requestSettlement(adapter, order, { decision });
    expect(await settlementReply(order)).toBe(reply);
    expect(await balanceOf(order)).toEqual([0]);
  });
});

describe('whatever is behind', () => {
  it.each([
    ['a node of the network', 'lagging-node', { target: 'ledger-network' }],
    ['the list of the provider', 'indexer-behind', {}],
  ] as const)('(%s), orders and contracts agree in the end', async (_, kind, more) => {
    await adapter.fault('read', kind, more);
    const [released, refunded] = await Promise.all([
      aFundedContract(adapter, { parts: ['60.00', '40.00'] }),
      aFundedContract(adapter),
    ]);
    await Promise.all([
      requestSettlement(adapter, released, { decision: 'RELEASE' }),
      requestSettlement(adapter, refunded, { decision: 'REFUND' }),
    ]);
    expect([await settlementReply(released), await settlementReply(refunded)]).toEqual(['escrow.released', 'escrow.refunded']);
    expect([await balanceOf(released), await balanceOf(refunded)]).toEqual([[0], [0]]);
  });

  it('a reading from before our last transaction is repeated', async () => {
    const order = await aFundedContract(adapter);
    const { lastLedger = 0 } = (await adapter.first.adapter.deps.contracts.find(order.escrowId)) ?? {};
    expect(lastLedger).toBeGreaterThan(0);
    let outdated = 2;
    falsify = ({ latestLedger, contracts, spendable }) => {
      outdated -= 1;
      if (outdated < 0) return { latestLedger, contracts, spendable };
      const empty = new Map([...contracts].map(([id, entry]): [string, ContractEntry] => [id, { ...entry, balanceUnits: 0n }]));
      return { latestLedger: lastLedger - 1, contracts: empty, spendable };
    };
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    expect(await settlementReply(order)).toBe('escrow.released');
    expect(outdated).toBeLessThan(0);
  });
});

describe('a contract that is not the requested one', () => {
  const changes: Readonly<Record<string, (entry: ContractEntry) => ContractEntry>> = {
    'has other code': (entry) => ({ ...entry, wasmHash: '0'.repeat(64) }),
    'has another form': (entry) => ({ ...entry, escrow: 'unreadable' }),
    'pays a stranger': (entry) => changeTerms(entry, { receiver: adapter.accounts.wallets.platformAddress() }),
    'has another amount': (entry) => changeTerms(entry, { units: 1n }),
    'has another token': (entry) => changeTerms(entry, { token: 'C' }),
  };

  function changeTerms(entry: ContractEntry, terms: object): ContractEntry {
    const { escrow } = entry;
    return typeof escrow === 'object' ? { ...entry, escrow: { ...escrow, terms: { ...escrow.terms, ...terms } } } : entry;
  }

  it.each(Object.keys(changes))('because it %s is not paid into', async (name) => {
    const order = await aCreatedContract(adapter);
    falsify = ({ contracts, ...read }) => ({
      ...read,
      contracts: new Map([...contracts].map(([id, entry]) => [id, changes[name]?.(entry) ?? entry])),
    });
    const command = await requestFunding(adapter, order);
    const reply = await adapter.waitForReply(order.orderId, 'escrow.funded', 'escrow.funding_failed');
    expect(reply).toMatchObject({ type: 'escrow.funding_failed', payload: { reason: expect.stringContaining('not the one') } });
    expect([await transactionsOf(command), await balanceOf(order)]).toEqual([[], [0]]);
    falsify = undefined;
    await requestFunding(adapter, order);
    await adapter.waitForReply(order.orderId, 'escrow.funded');
  });
});

describe('a landed transaction that has moved something else than it must', () => {
  const waiting = async ({ id }: Envelope) => {
    const [row] = await adapter.database.asAdmin<{ readonly isPast: boolean; readonly isLater: boolean }>(
      `select worker_state->>'isPastNoReturn' = 'true' as "isPast", due_at > now() + interval '1 hour' as "isLater"
       from escrow_adapter.intents where id = $1 and closed_at is null`,
      [id],
    );
    return row;
  };

  it('stops a deployment for an operator', async () => {
    outage.now.movesMore = true;
    const { command, ...order } = await requestContract(adapter);
    await eventually(async () => expect(await statesOf(command)).toEqual(['deploy MISMATCHED']));
    await eventually(async () => expect(await waiting(command)).toEqual({ isPast: true, isLater: true }));
    expect(repliesAbout({ ...order, command })).toEqual([]);
  });

  it('stops a funding for an operator', async () => {
    const order = await aCreatedContract(adapter);
    outage.now.movesMore = true;
    const command = await requestFunding(adapter, order);
    await eventually(async () => expect(await statesOf(command)).toEqual(['fund MISMATCHED']));
    await eventually(async () => expect(await waiting(command)).toEqual({ isPast: true, isLater: true }));
    expect(repliesAbout(order)).toEqual(['escrow.created']);
  });

  it('is published as a contradiction of a settlement', async () => {
    const order = await aFundedContract(adapter);
    outage.now.movesMore = true;
    const command = await requestSettlement(adapter, order, { decision: 'REFUND' });
    const { payload } = await adapter.waitForReply(order.orderId, 'escrow.settlement_contradicted');
    expect(payload).toMatchObject({ reason: expect.stringContaining('1 units were moved of a token') });
    expect(await statesOf(command)).toEqual(['dispute MISMATCHED']);
    expect(repliesAbout(order)).not.toContain('escrow.refunded');
  });
});
