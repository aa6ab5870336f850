import { systemClock } from '@holdfast/kernel/context';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { isOpen, refused, sent, webhookWorkers, type WebhookWorkers } from '../../testing/webhook-workers.js';

let workers: WebhookWorkers;

beforeAll(async () => void (workers = await webhookWorkers(systemClock())), serverStartTimeoutMs);
afterEach(async () => {
  for (const table of ['webhook_batches', 'webhook_deliveries', 'webhook_endpoints'])
    await workers.server.asAdmin(`delete from notifications.${table}`);
});
afterAll(() => workers.server.drop());

describe('time', () => {
  async function failingSince(id: WebhookEndpointId) {
    const endpoint = await workers.deps.endpoints.find('mkt_default', id);
    return { status: endpoint?.status, isFailing: (endpoint?.failingSince ?? null) !== null, reason: endpoint?.disabledReason };
  }

  it('that jumps over a retry causes it once; one that jumps back delays it', async () => {
    await workers.anEndpoint();
    await workers.append(1);
    const received: string[] = [];
    const worker = await workers.start({ send: sent(received, refused) });
    await worker.fanOut();
    await worker.work();
    await eventually(async () => expect(await workers.rows()).toMatchObject([{ status: 'RETRYING', attempts: 1 }]));
    workers.moveClock(-3_600_000);
    await worker.work();
    await eventually(async () => expect((await worker.store.look([])).dueInMs).toBeGreaterThan(3_600_000));
    workers.moveClock(3_600_000 + 86_400_000);
    await worker.work();
    await eventually(async () => expect(await workers.rows()).toMatchObject([{ status: 'RETRYING', attempts: 2 }]));
    expect(received).toHaveLength(2);
    await eventually(async () => expect((await worker.store.look([])).dueInMs).toBeGreaterThan(50_000));
  });

  it('of nothing but failures: an event after 24 hours, disabled after 5 days, with its deliveries canceled', async () => {
    const id = await workers.anEndpoint();
    const worker = await workers.start({ send: sent([], refused) });
    const fail = async (): Promise<void> => {
      await workers.append(1);
      await worker.fanOut();
      await worker.work();
      await eventually(async () => expect((await workers.rows()).at(-1)).toMatchObject({ attempts: 1 }));
      // A worker that still holds the endpoint would repeat its deliveries as soon as the clock moves.
      await eventually(() => expect(worker.heldIds()).toEqual([]));
    };
    const from = workers.published.length;
    await fail();
    expect(await failingSince(id)).toMatchObject({ status: 'ENABLED', isFailing: false });
    workers.moveClock(25 * 3_600_000);
    await fail();
    await eventually(async () => expect(await failingSince(id)).toMatchObject({ status: 'ENABLED', isFailing: true }));
    workers.moveClock(96 * 3_600_000);
    await fail();
    await eventually(async () => expect(await failingSince(id)).toMatchObject({ status: 'DISABLED', reason: 'FAILING' }));
    const types = ['webhook_endpoint.failing', 'webhook_endpoint.disabled', 'audit.recorded'];
    expect(workers.published.slice(from)).toEqual(types);
    expect((await workers.rows()).filter(isOpen)).toEqual([]);
  });

  const dropFirstEvent = () =>
    workers.server.asAdmin('delete from notifications.events where position = (select min(position) from notifications.events)');

  it('that has dropped the event from the history cancels its delivery, and the next one goes out', async () => {
    await workers.server.asAdmin('delete from notifications.events');
    await workers.anEndpoint();
    await workers.append(2, 'ord_dropped');
    const worker = await workers.start({ send: sent([], refused) });
    await worker.fanOut();
    await worker.work();
    await eventually(async () => expect((await workers.rows()).map(({ status }) => status)).toEqual(['RETRYING', 'PENDING']));
    await worker.stop();
    await dropFirstEvent();
    workers.moveClock(61_000);
    const received: string[] = [];
    const next = await workers.start({ send: sent(received) });
    await eventually(async () => {
      await next.work();
      expect((await workers.rows()).map(({ status }) => status)).toEqual(['CANCELED', 'DELIVERED']);
    });
    expect(received).toHaveLength(1);
  });

  it('that has dropped an event before its first attempt leaves the next one', async () => {
    await workers.server.asAdmin('delete from notifications.events');
    await workers.anEndpoint();
    await workers.append(2, 'ord_dropped');
    const received: string[] = [];
    const worker = await workers.start({ send: sent(received) });
    await worker.fanOut();
    await dropFirstEvent();
    await worker.work();
    await eventually(async () => expect(await workers.rows()).toMatchObject([{ status: 'DELIVERED' }]));
    await eventually(async () => expect(await workers.server.asAdmin('select from notifications.webhook_batches')).toEqual([]));
    expect(received).toHaveLength(1);
  });
});
