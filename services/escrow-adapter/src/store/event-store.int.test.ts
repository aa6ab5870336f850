import { systemClock } from '@holdfast/kernel/context';
import { eventually } from '@holdfast/testing/eventually';
import { landedHashes } from '../testing/landed-transactions.js';
import { aCreatedContract, aFundedContract, requestContract, type TestOrder } from '../testing/orders.js';
import { startAdapter, type RunningAdapter } from '../testing/running-adapter.js';
import type { ProviderEvent, ProviderEvents } from '../use-cases/event-ports.js';

let adapter: RunningAdapter;
let events: ProviderEvents;
let mayBuild = Promise.resolve();

beforeAll(async () => {
  adapter = await startAdapter({
    wrapProvider: (provider) => ({
      ...provider,
      buildDeployment: async (...args) => {
        await mayBuild;
        return provider.buildDeployment(...args);
      },
    }),
  });
  ({ events } = adapter.first.adapter.deps);
});
afterAll(() => adapter.stop());

function anEvent(given: Partial<ProviderEvent> = {}): ProviderEvent {
  const [id, eventId] = [adapter.newId('whe'), adapter.newId('whe')];
  return { id, eventId, type: 'escrow.funded', contractId: 'CNOBODY', isSigned: true, receivedAt: systemClock().now(), ...given };
}

async function about({ escrowId, orderId }: TestOrder): Promise<Pick<ProviderEvent, 'contractId' | 'orderId'>> {
  const contract = await adapter.first.adapter.deps.contracts.find(escrowId);
  return { contractId: contract?.contractId ?? 'CUNKNOWN', orderId };
}

async function ownHashOf({ orderId }: TestOrder): Promise<string> {
  return (await landedHashes(adapter, orderId)).at(-1) ?? '';
}

type Row = { readonly result: string | null; readonly attempts: number; readonly isDone: boolean };

async function rowOf({ eventId }: ProviderEvent): Promise<Row | undefined> {
  const sql =
    'select result, attempts, processed_at is not null as "isDone" from escrow_adapter.provider_events where event_id = $1';
  return (await adapter.database.asAdmin<Row>(sql, [eventId]))[0];
}

describe('a batch of events', () => {
  it('is classified event by event', async () => {
    const [funded, waiting] = [await aFundedContract(adapter), await aCreatedContract(adapter)];
    const [own, outside] = [await about(funded), await about(waiting)];
    const given = [
      anEvent({ ...own, transactionHash: await ownHashOf(funded) }),
      anEvent({ ...outside, transactionHash: 'b'.repeat(64) }),
      anEvent(),
      // It has the order id, but a contract id other than the order's.
      anEvent({ orderId: funded.orderId }),
      anEvent({ orderId: adapter.newId('ord') }),
    ];
    const stored = await Promise.all(given.map(events.store));
    expect(stored.map((each) => each?.isDone)).toEqual([true, false, true, true, true]);
    expect(stored[1]).toMatchObject({ escrowId: waiting.escrowId, attempts: 0 });
    expect((await Promise.all(given.map(rowOf))).map((row) => row?.result)).toEqual([
      'own transaction',
      null,
      'unknown contract',
      'unknown contract',
      'unknown contract',
    ]);
  });

  it('wakes an open intent, even if its contract has no contract id yet', async () => {
    const { promise, resolve } = gate();
    mayBuild = promise;
    const order = await requestContract(adapter);
    await eventually(async () => {
      expect(await adapter.first.adapter.deps.intents.findOpen(order.escrowId)).toBe(order.command.id);
    });
    const event = anEvent({ orderId: order.orderId });
    const [stored] = await Promise.all([events.store(event), events.store(anEvent())]);
    expect(stored).toMatchObject({ isDone: true, intentId: order.command.id });
    expect(await rowOf(event)).toEqual({ result: 'intent woken', attempts: 1, isDone: true });
    resolve();
    await adapter.waitForReply(order.orderId, 'escrow.created');
  });

  it('stores duplicates once', async () => {
    const event = anEvent();
    const again = [1, 2].map(() => ({ ...event, id: adapter.newId('whe') }));
    const stored = await Promise.all([event, ...again].map(events.store));
    expect(stored.map((each) => each?.event.id)).toEqual([event.id, undefined, undefined]);
    const rows = await adapter.database.asAdmin('select id from escrow_adapter.provider_events where event_id = $1', [
      event.eventId,
    ]);
    expect(rows).toEqual([{ id: event.id }]);
  });

  it('replaces an unsigned event only by a signed one', async () => {
    const unsigned = anEvent({ isSigned: false });
    const again = (isSigned: boolean): ProviderEvent => ({ ...unsigned, id: adapter.newId('whe'), isSigned });
    const [signed, late] = [again(true), again(false)];
    const concurrent = await Promise.all([unsigned, again(false), signed, again(true)].map(events.store));
    expect(concurrent.map((each) => each?.event.id)).toEqual([unsigned.id, undefined, signed.id, undefined]);
    expect(await Promise.all([late, again(true)].map(events.store))).toEqual([undefined, undefined]);

    const other = anEvent({ isSigned: false });
    expect(await events.store(other)).toBeDefined();
    expect(await events.store({ ...other, id: adapter.newId('whe'), isSigned: true })).toBeDefined();
    expect(await events.store(other)).toBeUndefined();
  });

  it('rejects only the event that the database refuses', async () => {
    const given = Array.from({ length: 9 }, (_, index) => anEvent(index === 4 ? { contractId: 'C\u0000' } : {}));
    const stored = await Promise.allSettled(given.map(events.store));
    expect(stored.map(({ status }) => status)).toEqual(given.map((_, index) => (index === 4 ? 'rejected' : 'fulfilled')));
    expect((await Promise.all(given.map(rowOf))).map((row) => row?.isDone)).toEqual(
      given.map((_, index) => (index === 4 ? undefined : true)),
    );
  });
});

describe('due events', () => {
  it('are claimed by one process, and finished at once if our own tables can classify them by now', async () => {
    const order = await aFundedContract(adapter);
    const [known, unknown] = [anEvent(await about(order)), anEvent(await about(order))];
    await Promise.all([events.store(known), events.store(unknown)]);
    await adapter.database.asAdmin(
      `update escrow_adapter.provider_events
       set due_at = now(), attempts = 3, transaction_hash = case when event_id = $1 then $3 end
       where event_id in ($1, $2)`,
      [known.eventId, unknown.eventId, await ownHashOf(order)],
    );
    const claimed = (await Promise.all([events.claimDue(50), events.claimDue(50)])).flat();
    expect(claimed).toHaveLength(2);
    expect(claimed.find(({ event }) => event.id === known.id)).toMatchObject({ isDone: true, attempts: 4 });
    expect(claimed.find(({ event }) => event.id === unknown.id)).toMatchObject({
      isDone: false,
      escrowId: order.escrowId,
      attempts: 3,
    });
    expect(await rowOf(known)).toEqual({ result: 'own transaction', attempts: 4, isDone: true });
    expect(await rowOf(unknown)).toMatchObject({ attempts: 3, isDone: false });
    expect(await events.claimDue(50)).toEqual([]);
  });
});

function gate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, resolve: () => open() };
}

describe('old events', () => {
  async function receivedAgo(event: ProviderEvent, interval: string): Promise<ProviderEvent> {
    await events.store(event);
    const sql = 'update escrow_adapter.provider_events set received_at = now() - $2::interval where event_id = $1';
    await adapter.database.asAdmin(sql, [event.eventId, interval]);
    return event;
  }

  it('are deleted once they were handled, those without a signature after a day', async () => {
    const waiting = await about(await aCreatedContract(adapter));
    const kept = [
      await receivedAgo(anEvent(), '29 days'),
      await receivedAgo(anEvent({ isSigned: false }), '23 hours'),
      await receivedAgo(anEvent({ ...waiting, transactionHash: 'd'.repeat(64) }), '31 days'),
    ];
    const deleted = [await receivedAgo(anEvent(), '31 days'), await receivedAgo(anEvent({ isSigned: false }), '25 hours')];
    const ignored = { eventId: 'an ignored event', body: Buffer.from('{}') };
    await events.storeIgnored(ignored, '2026-01-01T00:00:00.000000Z');
    await events.prune(new AbortController().signal);
    const found = await Promise.all([...kept, ...deleted].map(rowOf));
    expect(found.map((row) => row !== undefined)).toEqual([true, true, true, false, false]);
    expect(await adapter.database.asAdmin('select 1 from escrow_adapter.ignored_provider_events')).toEqual([]);
  });
});
