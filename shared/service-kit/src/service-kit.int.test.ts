import type { Envelope } from '@holdfast/contracts/messages';
import { createMetrics } from '@holdfast/observability';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { startCuttingProxy } from '@holdfast/testing/rabbitmq';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aUserCreated, startSample, type RunningSample } from './testing/running-sample.js';

let database: TestDatabase;
let sample: RunningSample | undefined;

beforeAll(async () => {
  database = await testDatabase();
}, serverStartTimeoutMs);
afterEach(async () => sample?.stop());
afterAll(() => database.drop());

async function countOf(running: RunningSample): Promise<unknown> {
  const { body } = await running.get('/api/v1/notes');
  return body.data;
}

/** Every read and write of the notes fails as it does without disk space. The sequence counts them, because it is not rolled back. */
async function fillDisk(): Promise<void> {
  await database.asAdmin('create sequence public.refused');
  await database.asAdmin(`
    create function public.full_disk() returns boolean language plpgsql security definer as $$
    begin
      perform nextval('public.refused');
      raise exception 'could not extend file: No space left on device' using errcode = '53100';
    end $$`);
  await database.asAdmin('create policy full_disk on ledger_balance.notes using (public.full_disk())');
  await database.asAdmin('alter table ledger_balance.notes enable row level security');
}

async function statementsRefused(): Promise<number> {
  const [row] = await database.asAdmin<{ readonly count: number }>('select last_value::int as count from public.refused');
  return row?.count ?? 0;
}

describe('a running service', () => {
  it('is ready, serves routes with its settings and handles messages once', async () => {
    sample = await startSample(database, { env: { NOTE_LIMIT: '3' } });
    expect(await sample.getOperations('/readyz')).toMatchObject({
      status: 200,
      body: { parts: { database: 'up', broker: 'up', consumers: 'up', start: 'up', stop: 'up' } },
    });
    expect(await countOf(sample)).toEqual({ notes: 0, noteLimit: 3 });

    const message = aUserCreated();
    await sample.broker.publish([message]);
    await sample.broker.publish([message, aUserCreated()]);

    const running = sample;
    await eventually(async () => expect(await countOf(running)).toMatchObject({ notes: 2 }));
  });

  it('401 UNAUTHORIZED for an invalid caller token', async () => {
    sample = await startSample(database);
    const response = await fetch(`${sample.url}/api/v1/notes`, { headers: { 'x-holdfast-caller': 'forged' } });
    expect(response.status).toBe(401);
  });

  it('stops jobs before the parts that the service registered, and the database last', async () => {
    const order: string[] = [];
    const running = await startSample(database, {
      extras: ({ database: own, lifecycle }) => {
        lifecycle.onStop('made by the service', async () => {
          await own.ping();
          order.push('made');
        });
        const untilStopped = (signal: AbortSignal) =>
          new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(void order.push('job'))));
        return { jobs: [{ name: 'wait', everyMs: 1, run: untilStopped }] };
      },
    });
    await eventually(async () => expect((await running.getOperations('/livez')).status).toBe(200));
    await running.stop();
    expect(order).toEqual(['job', 'made']);
    expect(running.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('does not start with faulty settings', async () => {
    await expect(startSample(database, { env: { NOTE_LIMIT: 'many' } })).rejects.toThrow('NOTE_LIMIT is "many"');
  });
});

describe('the parked messages of a service', () => {
  const system = { type: 'system', id: 'tools', scopes: [] } as const;
  const parkedIn = async ({ client }: RunningSample) => (await client.get('/internal/parked-messages', system)).data;
  const redrive = ({ client }: RunningSample, body: object) => client.post('/internal/parked-messages/redrive', body, system);

  /** Messages whose table is missing, and whose attempts are used up. */
  async function park(running: RunningSample, ...messages: readonly Envelope[]): Promise<void> {
    await database.asAdmin('alter table ledger_balance.notes rename to hidden_notes');
    await running.broker.publish(messages);
    const ids = messages.map(({ id }) => id);
    await eventually(async () => {
      // Only what has failed once: a delivery that is being handled would be handled a second time.
      const useUp = `
        update broker.deliveries
        set attempts = 10, available_at = now()
        where message_id = any($1) and attempts between 1 and 9`;
      await database.asAdmin(useUp, [ids]);
      expect(await parkedIn(running)).toMatchObject({ count: messages.length });
    });
    await database.asAdmin('alter table ledger_balance.hidden_notes rename to notes');
  }

  it('200 are listed with their bodies, counted in a gauge, and sent back: the named ones, then all', async () => {
    const metrics = createMetrics({ service: 'ledger-balance', processMetrics: false });
    sample = await startSample(database, { metrics });
    const running = sample;
    const [first, second] = [aUserCreated(), aUserCreated()];
    await park(running, first, second);
    expect(await parkedIn(running)).toMatchObject({
      messages: expect.arrayContaining([
        expect.objectContaining({ messageId: first.id, type: 'user.created', redrivenAt: null, body: first }),
      ]),
    });
    await metrics.measure();
    expect(await metrics.registry.metrics()).toMatch(/^holdfast_parked_messages\{.*\} 2$/m);

    const { data: summary } = await running.client.get('/internal/parked-messages/summary', system);
    expect(summary).toMatchObject({ count: 2, messages: [{ type: 'user.created', reason: 'FAILED' }, {}] });
    expect(JSON.stringify(summary)).not.toContain('notes');

    const named = await redrive(running, { messageIds: [first.id], operator: { by: 'Ada', reason: 'ticket 7' } });
    expect([named.status, named.data]).toEqual([200, { redriven: 1 }]);
    await eventually(async () =>
      expect(await parkedIn(running)).toMatchObject({ count: 1, messages: [{ messageId: second.id }] }),
    );
    expect((await redrive(running, {})).data).toEqual({ redriven: 1 });
    await eventually(async () => expect(await parkedIn(running)).toEqual({ count: 0, messages: [] }));
    expect((await redrive(running, {})).data).toEqual({ redriven: 0 });
  });

  it('400 VALIDATION_ERROR for an empty list of ids', async () => {
    sample = await startSample(database);
    expect(await redrive(sample, { messageIds: [] })).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it('403 INSUFFICIENT_SCOPE for anyone but the platform', async () => {
    sample = await startSample(database);
    expect(await sample.client.get('/internal/parked-messages')).toMatchObject({ status: 403, code: 'INSUFFICIENT_SCOPE' });
  });
});

describe('a service whose database is unavailable', () => {
  it('503 SERVICE_UNAVAILABLE with Retry-After, is not ready, and recovers by itself', async () => {
    const proxy = await startCuttingProxy(database.adminUrl);
    sample = await startSample(database, { adminUrl: proxy.url });
    const running = sample;
    const before = await countOf(running);

    proxy.cut();
    const refused = await running.get('/api/v1/notes');
    expect(refused).toMatchObject({
      status: 503,
      retryAfter: expect.any(String),
      body: { error: { code: 'SERVICE_UNAVAILABLE' } },
    });
    expect(await running.getOperations('/readyz')).toMatchObject({
      status: 503,
      body: { parts: { database: 'down', broker: 'up' } },
    });
    expect((await running.getOperations('/livez')).status).toBe(200);

    proxy.mend();
    await eventually(async () => expect(await countOf(running)).toEqual(before));
    expect((await running.getOperations('/readyz')).status).toBe(200);
    await running.stop();
    await proxy.close();
  });

  it('handles messages when the database is reachable again, and parks none', async () => {
    const proxy = await startCuttingProxy(database.adminUrl);
    sample = await startSample(database, { adminUrl: proxy.url });
    const running = sample;
    const { notes: before } = (await countOf(running)) as { readonly notes: number };

    proxy.cut();
    await running.broker.publish([aUserCreated(), aUserCreated()]);
    await eventually(() =>
      expect(running.log.lines.filter(({ fact }) => fact === 'message waits until the database is reachable')).toHaveLength(2),
    );
    proxy.mend();

    await eventually(async () => expect(await countOf(running)).toMatchObject({ notes: before + 2 }));
    expect(await database.takeParked()).toEqual([]);
    await running.stop();
    await proxy.close();
  });

  it('503 SERVICE_UNAVAILABLE with Retry-After when its disk is full; messages wait uncounted and none is parked', async () => {
    sample = await startSample(database);
    const running = sample;
    const { notes: before } = (await countOf(running)) as { readonly notes: number };
    await running.broker.publish([aUserCreated()]); // with a row in the table, also a read evaluates the policy
    await eventually(async () => expect(await countOf(running)).toMatchObject({ notes: before + 1 }));

    await fillDisk();
    expect(await running.get('/api/v1/notes')).toMatchObject({
      status: 503,
      retryAfter: expect.any(String),
      body: { error: { code: 'SERVICE_UNAVAILABLE' } },
    });
    await running.broker.publish([aUserCreated(), aUserCreated()]);
    await eventually(async () => expect(await statementsRefused()).toBeGreaterThanOrEqual(5));
    expect(await database.asAdmin('select from broker.deliveries where attempts > 0')).toHaveLength(0);
    await database.asAdmin('alter table ledger_balance.notes disable row level security');

    await eventually(async () => expect(await countOf(running)).toMatchObject({ notes: before + 3 }));
    expect(await database.takeParked()).toEqual([]);
    await running.stop();
  });

  it('waits for the database at the start, up to databaseWaitMs', async () => {
    const proxy = await startCuttingProxy(database.adminUrl);
    proxy.cut();
    await expect(startSample(database, { adminUrl: proxy.url })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const starting = startSample(database, { adminUrl: proxy.url, databaseWaitMs: 20_000 });
    proxy.mend();
    sample = await starting;
    expect((await sample.getOperations('/readyz')).status).toBe(200);
    await sample.stop();
    await proxy.close();
  });
});
