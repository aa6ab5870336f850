import type { Envelope } from '@holdfast/contracts/messages';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import type { Database, Tx } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { createAbortRun, createStoreIntentOnce, intentsMigrations, knownSubject } from './index.js';
import { aMessage, intentsProcess, newId, type IntentsProcess } from './testing/intents-process.js';

let server: TestDatabase;
let database: Database;
let published: Envelope[];
let process: IntentsProcess;

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open({ service: 'abort-run-test', migrations: [messagingMigrations, intentsMigrations] });
});
beforeEach(async () => {
  published = [];
  await server.asAdmin('truncate abort_run_test.intents');
  process = intentsProcess({ database, limits: { runningMax: 100 } });
});
afterEach(() => process.worker.stop());
afterAll(() => server.drop());

const outbox = {
  republish: (tx: Tx, envelopes: readonly Envelope[]) => {
    tx.afterCommit(() => published.push(...envelopes));
    return Promise.resolve();
  },
};

async function handle(message: Envelope): Promise<void> {
  const { intents, worker } = process;
  const once = createStoreIntentOnce({ database, outbox, intents, worker, priorities: { pay: 0 } });
  await once(message, 'pay', [knownSubject(message.aggregateId)]);
}

function abortWith(message: Envelope, reply: Envelope): Promise<boolean> {
  const abort = createAbortRun(outbox, process.intents);
  return database.inTransaction((tx) => abort(tx, { message, publish: () => Promise.resolve(reply) }));
}

/** The transaction of an abort that stops before its commit. */
async function heldAbort(message: Envelope, reply: Envelope) {
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  let isStored = (): void => undefined;
  const stored = new Promise<void>((resolve) => (isStored = resolve));
  const abort = createAbortRun(outbox, process.intents);
  const result = database.inTransaction(async (tx) => {
    const isAborted = await abort(tx, { message, publish: () => Promise.resolve(reply) });
    isStored();
    await gate;
    return isAborted;
  });
  await stored;
  return { result, letGo };
}

describe('the abort of a saga run', () => {
  const aRun = () => {
    const run = { saga: 'withdraw', sagaRunId: newId('run') };
    const reply = aMessage({ ...run, type: 'withdrawal.failed' });
    return { command: aMessage(run), abort: aMessage({ ...run, type: 'withdrawal.abort_requested' }), reply };
  };
  const waiting = async () =>
    server.asAdmin(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%into intents%'`,
    );

  it('publishes its reply again when it is repeated', async () => {
    const { abort, reply } = aRun();
    expect(await abortWith(abort, reply)).toBe(true);
    expect(await abortWith(abort, aMessage())).toBe(true);
    expect(published).toEqual([reply]);
  });

  it('refuses the command that comes later, with the reply that was published', async () => {
    const { command, abort, reply } = aRun();
    expect(await abortWith(abort, reply)).toBe(true);
    await handle(command);
    expect({ published, ran: process.ran }).toEqual({ published: [reply], ran: [] });
  });

  it('does nothing once the intent of its command is stored, open or closed', async () => {
    const { command, abort, reply } = aRun();
    await handle(command);
    expect(await abortWith(abort, reply)).toBe(false);
    await eventually(() => expect(process.ran).toEqual([command.id]));
    expect(await abortWith(abort, reply)).toBe(false);
    expect(published).toEqual([]);
  });

  it('holds back the command until its commit, which is then refused', async () => {
    const { command, abort, reply } = aRun();
    const { result, letGo } = await heldAbort(abort, reply);
    const handled = handle(command);
    await eventually(async () => expect(await waiting()).toHaveLength(1));
    letGo();
    expect(await result).toBe(true);
    await handled;
    expect({ published, ran: process.ran }).toEqual({ published: [reply], ran: [] });
  });

  it('holds back no command of another run', async () => {
    const { abort, reply } = aRun();
    const { result, letGo } = await heldAbort(abort, reply);
    const { command } = aRun();
    await handle(command);
    await eventually(() => expect(process.ran).toEqual([command.id]));
    letGo();
    expect(await result).toBe(true);
  });

  it('and the command that arrive at once have exactly one winner', async () => {
    const runs = Array.from({ length: 40 }, aRun);
    const aborted = await Promise.all(
      runs.map(async ({ command, abort, reply }, index) => {
        const both = [() => abortWith(abort, reply), () => handle(command).then(() => false)];
        const results = await Promise.all((index % 2 === 0 ? both : both.toReversed()).map((act) => act()));
        return results.includes(true);
      }),
    );
    const commands = runs.filter((_, index) => aborted[index] !== true).map(({ command }) => command.id);
    await eventually(() => expect(new Set(process.ran)).toEqual(new Set(commands)));
  });
});
