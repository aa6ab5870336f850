import { toInstant } from '@holdfast/kernel/context';
import { defaultMarketplaceId, type MessageId } from '@holdfast/kernel/ids';
import type { Database } from '@holdfast/postgres';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { intentsMigrations, intentStore, LeaseLost, pruneIntents, type IntentStore } from './index.js';

let server: TestDatabase;
let database: Database;
beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'intents-test', migrations: [intentsMigrations] });
});
beforeEach(() => server.asAdmin('truncate intents_test.intents'));
afterAll(() => server.drop());

const storeOf = (owner: string, leaseMs = 60_000): IntentStore => intentStore({ database, owner, leaseMs });

async function aCommand(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await server.asAdmin(
      `insert into intents_test.intents (id, kind, subject, priority, marketplace_id, correlation_id, payload)
       values ($1, 'fund', $1, 1, $2, 'test', '{}')`,
      [`evt_${name}`, defaultMarketplaceId],
    );
  }
}

const idOf = (name: string): MessageId => `evt_${name}`;

describe('claims of intents', () => {
  it('give each intent to one process, and mark the first lease as fresh', async () => {
    await aCommand('a', 'b', 'c');
    const [one, two] = [storeOf('one'), storeOf('two')];
    const claimed = await Promise.all([one.claim([idOf('a'), idOf('b')]), two.claim([idOf('b'), idOf('a')]), two.claimDue(10)]);
    expect(
      claimed
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([idOf('a'), idOf('b'), idOf('c')]);
    expect(claimed.flat().map(({ isFresh }) => isFresh)).toEqual([true, true, true]);
    expect(await storeOf('three').claim([idOf('a')])).toEqual([]);
    await server.asAdmin(`update intents_test.intents set lease_until = '-infinity' where id = 'evt_a'`);
    expect(await two.claim([idOf('a')])).toMatchObject([{ id: idOf('a'), isFresh: false, leaseToken: 2 }]);
  });

  it('go by priority and leave out intents that are not due', async () => {
    await aCommand('later', 'urgent', 'usual');
    await server.asAdmin(`update intents_test.intents set priority = 0 where id = 'evt_urgent'`);
    await server.asAdmin(`update intents_test.intents set due_at = now() + interval '1 hour' where id = 'evt_later'`);
    const store = storeOf('one');
    expect(await store.claimDue(1)).toMatchObject([{ id: idOf('urgent') }]);
    expect(await store.claimDue(10)).toMatchObject([{ id: idOf('usual') }]);
    expect(await store.claim([idOf('later')])).toMatchObject([{ id: idOf('later') }]);
  });
});

describe('a claimed intent', () => {
  it('has its saga and run, which its replies name', async () => {
    await aCommand('a', 'b');
    await server.asAdmin(`update intents_test.intents set saga = 'fund', saga_run_id = 'run_1' where id = 'evt_a'`);
    const claimed = new Map((await storeOf('one').claimDue(10)).map((intent) => [intent.id, intent]));
    expect(claimed.get(idOf('a'))).toMatchObject({ saga: 'fund', sagaRunId: 'run_1' });
    expect(claimed.get(idOf('b'))).not.toHaveProperty('saga');
  });
});

describe('a lock on an intent', () => {
  it('is refused without its lease, and once it is closed', async () => {
    await aCommand('a');
    const store = storeOf('one');
    const [lease] = await store.claim([idOf('a')]);
    if (lease === undefined) throw new Error('it is claimed');
    const stolen = { ...lease, leaseToken: lease.leaseToken + 1 };
    await expect(database.inTransaction((tx) => store.lock(tx, stolen))).rejects.toThrow(LeaseLost);
    await database.inTransaction(async (tx) => {
      await store.lock(tx, lease);
      await store.close(tx, lease, { replies: [], at: toInstant(0) });
    });
    await expect(database.inTransaction((tx) => store.lock(tx, lease))).rejects.toThrow(LeaseLost);
  });
});

describe('leases of intents', () => {
  it('are renewed while they are held, and lost ones are missing from the result', async () => {
    await aCommand('b', 'a', 'c');
    const one = storeOf('one');
    const leased = await one.claimDue(10);
    expect(leased).toHaveLength(3);
    expect(await one.renew(leased)).toEqual(new Set([idOf('a'), idOf('b'), idOf('c')]));
    await server.asAdmin(`update intents_test.intents set lease_until = null where id = 'evt_b'`);
    expect(await storeOf('two').claimDue(10)).toMatchObject([{ id: idOf('b'), leaseToken: 2 }]);
    expect(await one.renew(leased)).toEqual(new Set([idOf('a'), idOf('c')]));
  });

  it('are not renewed by another process or for a closed intent', async () => {
    await aCommand('a');
    const one = storeOf('one');
    const leased = await one.claimDue(10);
    expect(await storeOf('two').renew(leased)).toEqual(new Set());
    await server.asAdmin(`update intents_test.intents set closed_at = now(), replies = '[]'`);
    expect(await one.renew(leased)).toEqual(new Set());
  });

  it('are renewed without deadlock during writes to the same intents', async () => {
    const names = Array.from({ length: 20 }, (_, index) => String(index).padStart(2, '0'));
    await aCommand(...names);
    const one = storeOf('one');
    const leased = await one.claimDue(names.length);
    const write = () =>
      database.inTransaction((tx) => {
        for (const { id } of leased.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
          tx.defer(`update intents set worker_state = worker_state || '{"seen": true}' where id = $1`, [id]);
        }
        return Promise.resolve();
      });
    const rounds = await Promise.all(
      Array.from({ length: 20 }, async () => (await Promise.all([one.renew(leased), write()]))[0]),
    );
    for (const renewed of rounds) expect(renewed.size).toBe(names.length);
  });
});

describe('pruning', () => {
  it('deletes intents that were closed long ago, and no open one', async () => {
    await aCommand('old', 'open', 'new');
    await server.asAdmin(`update intents_test.intents set created_at = now() - interval '500 days' where id <> 'evt_new'`);
    await server.asAdmin(
      `update intents_test.intents set closed_at = created_at + interval '1 day', replies = '[]' where id <> 'evt_open'`,
    );
    expect(await pruneIntents(database, new AbortController().signal)).toBe(1);
    const rows = await server.asAdmin<{ readonly id: string }>('select id from intents_test.intents order by id');
    expect(rows.map(({ id }) => id)).toEqual([idOf('new'), idOf('open')]);
  });
});
