import { toInstant } from '@holdfast/kernel/context';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { connectDatabase, type BoundStatement, type Database, type Tx } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import { startCommitProxy, type CommitProxy, type TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { createLeases } from '@holdfast/intents/leases';
import { IntentPaused, intentStore, LeaseLost, type Intent } from '@holdfast/intents';
import { migrationFoldersOf } from '@holdfast/service-kit';
import { escrowAdapter } from '../service.js';
import { endAndOpenTransaction, isUsedByOthers, openTransaction } from './transaction-sql.js';
import { transactionStore } from './transaction-store.js';
import type { NewTransaction, TransactionStore } from '@holdfast/ledger-network/submission';

let server: TestDatabase;
let proxy: CommitProxy;
let database: Database;
let viaProxy: Database;
let store: TransactionStore;

/** Nothing is published here, so that what is written together with messages is issued alone. */
const outbox = { writeWithMessages: (tx: Tx, write: BoundStatement) => tx.defer(write) };

beforeAll(async () => {
  server = await serviceDatabase(escrowAdapter);
  database = await server.open({
    service: 'escrow-adapter',
    migrations: migrationFoldersOf(escrowAdapter),
    entities: escrowAdapter.entities,
  });
  proxy = await startCommitProxy(server.adminUrl);
  const access = { adminUrl: proxy.url, service: 'escrow-adapter', internalSecret: server.internalSecret };
  viaProxy = await connectDatabase({ ...access, entities: escrowAdapter.entities, log: silentLog });
  store = transactionStore({ database, outbox });
});
beforeEach(() => server.asAdmin('truncate escrow_adapter.intents cascade'));
afterAll(async () => {
  await viaProxy.close();
  await proxy.close();
  await server.drop();
});

async function twoLeased(): Promise<readonly [Intent, Intent]> {
  for (const id of ['evt_1', 'evt_2'])
    await database.pool.query(
      `insert into intents (id, subject, kind, priority, marketplace_id, correlation_id, payload)
       values ($1, $1, 'fund', 1, $2, 'req_1', '{}')`,
      [id, defaultMarketplaceId],
    );
  const claimed = await intentStore({ database, owner: 'this process', leaseMs: 60_000 }).claim(['evt_1', 'evt_2']);
  const [one, other] = claimed.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (one === undefined || other === undefined) throw new Error('both are leased');
  return [one, other];
}

/** What the lease of the account says of it. */
async function isUsed(account: string, { id }: Intent): Promise<boolean> {
  const leases = createLeases({ database, isUsedByOthers });
  const handle = await leases.acquire([account], new AbortController().signal, undefined, id);
  handle.release();
  await leases.stop();
  return handle.isUsedByOthers;
}

const hashOf = (number: number): string => number.toString(16).padStart(64, '0');
const envelopeOf = ({ id }: Intent, number: number, sourceAccount = 'GACCOUNT'): NewTransaction => ({
  hash: hashOf(number),
  intentId: id,
  requestHash: hashOf(0),
  step: 'fund',
  sourceAccount,
  sequence: BigInt(number),
  envelope: 'an envelope',
  validUntil: toInstant(0),
  firstLedger: 6,
  transfers: [],
});
const nothing = { ended: [], accounts: [] };
const transactions = (): Promise<readonly { readonly hash: string; readonly state: string; readonly commit: string }[]> =>
  server.asAdmin('select hash, state, xmin::text as commit from escrow_adapter.ledger_transactions order by hash');

describe('transactions of intents', () => {
  it('are ended before the next one of the same account is inserted, in one commit', async () => {
    const [intent] = await twoLeased();
    await store.write({ ...nothing, intent, opened: envelopeOf(intent, 1) });
    const ended = [{ hash: hashOf(1), state: 'LANDED', ledger: 7 }] as const;
    await store.write({ accounts: [], intent, ended, opened: envelopeOf(intent, 2) });
    const [landed, open] = await transactions();
    expect([landed, open]).toMatchObject([
      { hash: hashOf(1), state: 'LANDED' },
      { hash: hashOf(2), state: 'OPEN' },
    ]);
    expect(landed?.commit).toBe(open?.commit);
  });

  it('are not stored if the lease is lost; ended ones and transactions of other intents are', async () => {
    const [held, lost] = await twoLeased();
    await store.write({ ...nothing, intent: lost, opened: envelopeOf(lost, 1) });
    await database.pool.query('update intents set lease_token = lease_token + 1 where id = $1', [lost.id]);
    const settled = await Promise.allSettled([
      store.write({ ...nothing, intent: held, opened: envelopeOf(held, 2, 'GHELD') }),
      store.write({
        accounts: [],
        intent: lost,
        ended: [{ hash: hashOf(1), state: 'FAILED', ledger: 7 }],
        opened: envelopeOf(lost, 3),
      }),
    ]);
    expect(settled).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: new LeaseLost(lost.id) },
    ]);
    expect(await transactions()).toMatchObject([
      { hash: hashOf(1), state: 'FAILED' },
      { hash: hashOf(2), state: 'OPEN' },
    ]);
  });

  it('wait while another one of the same account is open; transactions of other accounts are stored', async () => {
    const [one, other] = await twoLeased();
    await store.write({ ...nothing, intent: one, opened: envelopeOf(one, 1) });
    expect([await isUsed('GACCOUNT', one), await isUsed('GACCOUNT', other), await isUsed('GFREE', other)]).toEqual([
      false,
      true,
      false,
    ]);
    const settled = await Promise.allSettled([
      store.write({ ...nothing, intent: other, opened: envelopeOf(other, 2) }),
      store.write({ ...nothing, intent: one, opened: envelopeOf(one, 3, 'GFREE') }),
    ]);
    expect(settled).toMatchObject([{ status: 'rejected', reason: expect.any(IntentPaused) }, { status: 'fulfilled' }]);
    expect(await transactions()).toMatchObject([{ hash: hashOf(1) }, { hash: hashOf(3) }]);
  });

  it('of one account, written at the same time, are stored one at a time', async () => {
    const [one, other] = await twoLeased();
    const settled = await Promise.allSettled([
      store.write({ ...nothing, intent: one, opened: envelopeOf(one, 1) }),
      store.write({ ...nothing, intent: other, opened: envelopeOf(other, 2) }),
    ]);
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await transactions()).toHaveLength(1);
  });

  it('are ended in the commit that closes their intent, which also ends the leases of its accounts', async () => {
    const [intent] = await twoLeased();
    const { signal } = new AbortController();
    const [here, elsewhere] = [createLeases({ database, isUsedByOthers }), createLeases({ database, isUsedByOthers })];
    const names = ['GCLOSED', 'GSECOND'];
    const accounts = await Promise.all(names.map((name) => here.acquire([name], signal, undefined, intent.id)));
    for (const [nth, name] of names.entries())
      await store.write({ ...nothing, intent, opened: envelopeOf(intent, nth + 1, name) });
    const ended = names.map((_, nth) => ({ hash: hashOf(nth + 1), state: 'LANDED', ledger: 7 + nth }) as const);
    const next = here.acquire(names, signal);
    await expect(elsewhere.acquire(names, signal, 50)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const { close } = intentStore({ database, owner: 'this process', leaseMs: 60_000 });
    await database.inTransaction(async (tx) => {
      await store.writeEnded(tx, { intent, ended, accounts });
      await close(tx, intent, { replies: [], at: toInstant(0) });
    });
    expect(await transactions()).toMatchObject([{ state: 'LANDED' }, { state: 'LANDED' }]);
    (await next).release();
    for (const name of names) (await elsewhere.acquire([name], signal)).release();
    await Promise.all([here.stop(), elsewhere.stop()]);
  });

  it('release the lease of their account in the commit that ends them', async () => {
    const [intent] = await twoLeased();
    const { signal } = new AbortController();
    const [here, elsewhere] = [createLeases({ database, isUsedByOthers }), createLeases({ database, isUsedByOthers })];
    const account = await here.acquire(['GACCOUNT'], signal);
    await store.write({ ...nothing, intent, opened: envelopeOf(intent, 1) });
    const next = here.acquire(['GACCOUNT'], signal);
    await store.write({ intent, ended: [{ hash: hashOf(1), state: 'LANDED', ledger: 7 }], accounts: [account] });
    (await next).release();
    (await elsewhere.acquire(['GACCOUNT'], signal)).release();
    await Promise.all([here.stop(), elsewhere.stop()]);
  });

  it('are ended several at once, with their accounts, before the next one is stored or without one', async () => {
    const [intent] = await twoLeased();
    const leases = createLeases({ database, isUsedByOthers });
    const names = ['GONE', 'GTWO', 'GTHREE'];
    const { signal } = new AbortController();
    const accounts = await Promise.all(names.map((name) => leases.acquire([name], signal)));
    for (const [nth, name] of names.entries())
      await store.write({ ...nothing, intent, opened: envelopeOf(intent, nth + 1, name) });
    const ended = names.map((_, nth) => ({ hash: hashOf(nth + 1), state: 'LANDED', ledger: 7 + nth }) as const);
    await store.write({ intent, ended: ended.slice(0, 2), accounts: accounts.slice(0, 2), opened: envelopeOf(intent, 4) });
    const states = async () => (await transactions()).map(({ state }) => state);
    expect(await states()).toEqual(['LANDED', 'LANDED', 'OPEN', 'OPEN']);
    await store.write({
      intent,
      ended: [...ended.slice(2), { hash: hashOf(4), state: 'DEAD', ledger: null }],
      accounts: accounts.slice(2),
    });
    expect(await states()).toEqual(['LANDED', 'LANDED', 'LANDED', 'DEAD']);
    const free = await server.asAdmin(`select name from escrow_adapter.leases where until = '-infinity' and name = any($1)`, [
      names,
    ]);
    expect(free).toHaveLength(names.length);
    await leases.stop();
  });

  it('release an account without having ended', async () => {
    const [intent] = await twoLeased();
    const leases = createLeases({ database, isUsedByOthers });
    const account = await leases.acquire(['GUNUSED'], new AbortController().signal);
    await store.write({ ...nothing, intent, accounts: [account], opened: envelopeOf(intent, 1) });
    const [row] = await server.asAdmin(
      `select until = '-infinity' as "isFree" from escrow_adapter.leases where name = 'GUNUSED'`,
    );
    expect(row).toEqual({ isFree: true });
    await leases.stop();
  });

  const faults = ['lose-response', 'garble-response', 'lose-request'] as const;
  const statements = [openTransaction, endAndOpenTransaction];
  it.each(statements.flatMap((statement) => faults.map((fault) => ({ fault, ...statement }))))(
    'are stored once if the outcome of the commit is unknown ($name, $fault)',
    async ({ name, fault }) => {
      const [intent] = await twoLeased();
      await store.write({ ...nothing, intent, opened: envelopeOf(intent, 1, 'GFIRST') });
      const ended = name === openTransaction.name ? [] : [{ hash: hashOf(1), state: 'LANDED', ledger: 7 } as const];
      proxy.setFault(fault, { statement: name });
      const before = proxy.faultCount();
      const writing = transactionStore({ database: viaProxy, outbox }).write({
        accounts: [],
        ended,
        intent,
        opened: envelopeOf(intent, 2),
      });
      writing.catch(() => undefined);
      await eventually(() => expect(proxy.faultCount()).toBeGreaterThan(before));
      proxy.setFault('none');
      await writing;
      expect(await transactions()).toMatchObject([
        { hash: hashOf(1), state: ended.length === 0 ? 'OPEN' : 'LANDED' },
        { hash: hashOf(2), state: 'OPEN' },
      ]);
    },
  );
});
