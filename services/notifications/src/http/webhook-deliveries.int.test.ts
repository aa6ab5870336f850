import { testClockAdvanced } from '@holdfast/contracts/messages';
import type { TestResponse } from '@holdfast/testing/services';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aCredit, aMessage, anEvent } from '../testing/messages.js';
import { startNotifications, type RunningNotifications } from '../testing/running-notifications.js';
import { startReceiver, verify, type WebhookReceiver } from '../testing/webhook-receiver.js';

let service: RunningNotifications;
const receivers: WebhookReceiver[] = [];

const settings = {
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_RETRY_SCHEDULE_SECONDS: '0.1,0.2,600',
  WEBHOOK_DRAIN_MS: '100',
};

beforeAll(async () => void (service = await startNotifications(settings)), serverStartTimeoutMs);
afterAll(async () => {
  await service.stopAll();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

let marketplaces = 0;
const aMarketplace = () => `mkt_h${String((marketplaces += 1))}` as const;

type Given = { readonly marketplaceId?: `mkt_${string}`; readonly body?: object };

async function anEndpoint({ marketplaceId = aMarketplace(), body = {} }: Given = {}) {
  const receiver = await startReceiver();
  receivers.push(receiver);
  const by = { marketplaceId };
  const { data, status } = await service.post('/webhook-endpoints', { url: receiver.url, ...body }, by);
  expect(status).toBe(201);
  const { id, secret } = data as { id: string; secret: string };
  return { receiver, by, marketplaceId, id, secret, path: `/webhook-endpoints/${id}` };
}

type Listed = { readonly id: string; readonly status: string; readonly eventId: string; readonly attempts: number };

async function deliveriesOf(by: { readonly marketplaceId: `mkt_${string}` }, query = ''): Promise<readonly Listed[]> {
  const { data } = await service.get(`/webhook-deliveries?limit=100${query}`, by);
  return (data as { data: readonly Listed[] }).data;
}

async function statuses(by: { readonly marketplaceId: `mkt_${string}` }): Promise<readonly string[]> {
  return (await deliveriesOf(by)).map(({ status }) => status).toReversed();
}

const events = (marketplaceId: `mkt_${string}`, count: number) => Array.from({ length: count }, () => anEvent({ marketplaceId }));
const credits = (marketplaceId: `mkt_${string}`, userId: string, count: number) =>
  Array.from({ length: count }, (_, index) => aCredit(userId, index + 1, { marketplaceId }));

function statusOf({ status, code }: TestResponse) {
  return { status, code };
}

describe('an event', () => {
  it('is posted to every endpoint of its marketplace with matching types, signed, exactly as the stream shows it', async () => {
    const mine = await anEndpoint();
    const other = await anEndpoint({ marketplaceId: mine.marketplaceId, body: { types: ['balance.*'] } });
    const foreign = await anEndpoint();
    const stream = service.follow({ caller: mine.by });
    await stream.opened;
    await service.broker.publish([...events(mine.marketplaceId, 1), ...credits(mine.marketplaceId, 'usr_posted', 1)]);
    await stream.has(2);
    const [first, second] = await mine.receiver.has(2);
    const byType = [first, second].sort((one, two) => (one?.event.eventType ?? '').localeCompare(two?.event.eventType ?? ''));
    expect(byType.map((webhook) => webhook?.body).sort()).toEqual(stream.messages.map(({ data }) => data).sort());
    expect(verify(first, mine.secret)).toEqual(first?.event);
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': first?.event.eventId,
      'user-agent': expect.stringMatching(/^Holdfast-Webhooks\/\d/),
    });
    expect((await other.receiver.has(1)).map(({ event }) => event.eventType)).toEqual(['balance.credited']);
    expect(() => verify(other.receiver.received[0], mine.secret)).toThrow();
    expect(foreign.receiver.received).toEqual([]);
    await eventually(async () => expect(await statuses(mine.by)).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED']));
  });

  it('waits until the one before it of the same aggregate was delivered', async () => {
    const { receiver, by, marketplaceId } = await anEndpoint();
    let refused = 2;
    receiver.respond(({ event }) => {
      const isRefused = event.aggregateId === 'usr_ordered' && event.metadata.aggregateVersion === 1 && (refused -= 1) >= 0;
      return { status: isRefused ? 503 : 200 };
    });
    await service.broker.publish(credits(marketplaceId, 'usr_ordered', 4));
    const received = await receiver.has(6);
    expect(received.map(({ event }) => event.metadata.aggregateVersion)).toEqual([1, 1, 1, 2, 3, 4]);
    await eventually(async () => expect(new Set(await statuses(by))).toEqual(new Set(['DELIVERED'])));
  });

  it('does not wait at an endpoint without order', async () => {
    const { receiver, marketplaceId } = await anEndpoint({ body: { ordering: 'none' } });
    receiver.respond(({ event }) => ({ status: event.metadata.aggregateVersion === 1 ? 503 : 200 }));
    await service.broker.publish(credits(marketplaceId, 'usr_unordered', 2));
    await eventually(() => expect(receiver.received.some(({ event }) => event.metadata.aggregateVersion === 2)).toBe(true));
  });

  it('is retried until the schedule ends, holding back the next one of its aggregate until then, and no other', async () => {
    const { receiver, by, marketplaceId } = await anEndpoint();
    const [first, second] = credits(marketplaceId, 'usr_exhausted', 2);
    receiver.respond(({ event }) => (event.eventId === first?.id ? { status: 500, body: 'no \0 luck' } : { status: 204 }));
    await service.broker.publish([first, second, ...events(marketplaceId, 1)].flatMap((event) => event ?? []));
    await receiver.has(4);
    await eventually(async () => expect(await statuses(by)).toEqual(['RETRYING', 'PENDING', 'DELIVERED']));
    await eventually(async () => expect((await deliveriesOf(by)).at(-1)).toMatchObject({ attempts: 3 }));
    const delivery = (await deliveriesOf(by)).at(-1);
    const { data } = await service.get(`/webhook-deliveries/${delivery?.id ?? ''}`, by);
    expect(data).toMatchObject({ attempts: 3, eventId: first?.id, nextAttemptAt: expect.any(String) as string });
    expect((data as { attemptLog: readonly object[] }).attemptLog).toEqual(
      Array.from({ length: 3 }, () => ({
        at: expect.any(String) as string,
        durationMs: expect.any(Number) as number,
        status: 500,
        error: 'STATUS',
        responseBody: 'no \uFFFD luck',
      })),
    );
    await service.database.asAdmin('update notifications.webhook_deliveries set next_attempt_at = now() where id = $1', [
      delivery?.id,
    ]);
    await service.database.asAdmin(
      'update notifications.webhook_endpoints set due_at = now() where id = (select endpoint_id from notifications.webhook_deliveries where id = $1)',
      [delivery?.id],
    );
    await eventually(async () => expect(await statuses(by)).toEqual(['EXHAUSTED', 'DELIVERED', 'DELIVERED']));
  });
});

describe('POST /webhook-endpoints/{id}/test', () => {
  it('201 posts an example event that is neither on the stream nor in a replay', async () => {
    const { receiver, by, path, secret } = await anEndpoint({ body: { types: ['balance.*'] } });
    const { status, data } = await service.post(`${path}/test`, { type: 'dispute.opened' }, by);
    expect({ status, data }).toMatchObject({ status: 201, data: { status: 'PENDING', eventType: 'dispute.opened' } });
    const [webhook] = await receiver.has(1);
    expect(verify(webhook, secret)).toMatchObject({ eventType: 'dispute.opened', metadata: { test: true, aggregateVersion: 0 } });
    const replay = await service.post(`${path}/replay`, { since: '2020-01-01', types: [] }, by);
    expect(replay.data).toEqual({ deliveries: 0 });
  });
});

describe('POST /webhook-endpoints/{id}/replay and /webhook-deliveries/{id}/resend', () => {
  it('202 deliver the same events again, with the same id and body', async () => {
    const { receiver, by, path, marketplaceId } = await anEndpoint();
    await service.broker.publish([...credits(marketplaceId, 'usr_again', 2), ...events(marketplaceId, 1)]);
    const first = [...(await receiver.has(3))];
    await eventually(async () => expect(await statuses(by)).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED']));
    const replay = await service.post(`${path}/replay`, { since: '2020-01-01', types: ['balance.credited'] }, by);
    expect({ status: replay.status, data: replay.data }).toEqual({ status: 202, data: { deliveries: 2 } });
    const again = (await receiver.has(5)).slice(3);
    const credited = first.filter(({ event }) => event.eventType === 'balance.credited');
    expect(again.map(({ body, headers }) => [headers['webhook-id'], body])).toEqual(
      credited.map(({ body, headers }) => [headers['webhook-id'], body]),
    );
    const [oldest] = (await deliveriesOf(by)).toReversed();
    const resent = await service.post(`/webhook-deliveries/${oldest?.id ?? ''}/resend`, {}, by);
    expect(resent).toMatchObject({ status: 202, data: { eventId: oldest?.eventId, status: 'PENDING', attempts: 0 } });
    expect((await receiver.has(6))[5]?.headers['webhook-id']).toBe(oldest?.eventId);
  });

  it('409 INVALID_STATE while the delivery is open or the endpoint is disabled', async () => {
    const { receiver, by, path, marketplaceId } = await anEndpoint();
    receiver.respond(() => ({ status: 500 }));
    await service.broker.publish(events(marketplaceId, 1));
    await receiver.has(1);
    await eventually(async () => expect(await statuses(by)).toEqual(['RETRYING']));
    const [delivery] = await deliveriesOf(by);
    const resend = () => service.post(`/webhook-deliveries/${delivery?.id ?? ''}/resend`, {}, by);
    expect(statusOf(await resend())).toEqual({ status: 409, code: 'INVALID_STATE' });
    await service.post(`${path}/disable`, {}, by);
    const refused = [
      await resend(),
      await service.post(`${path}/test`, {}, by),
      await service.post(`${path}/replay`, { since: '2020-01-01' }, by),
    ];
    expect(refused.map(statusOf)).toEqual(Array(3).fill({ status: 409, code: 'INVALID_STATE' }));
  });
});

describe('a disabled endpoint', () => {
  it('gets nothing; enabled with a replay it resumes with the first event that it has not received', async () => {
    const { receiver, by, path, marketplaceId } = await anEndpoint();
    const [first, second, third, fourth] = credits(marketplaceId, 'usr_disabled', 4);
    const publish = (...given: readonly (typeof first)[]) => service.broker.publish(given.flatMap((event) => event ?? []));
    await publish(first);
    await eventually(async () => expect(await statuses(by)).toEqual(['DELIVERED']));
    receiver.respond(() => ({ status: 410 }));
    await publish(second);
    await eventually(async () =>
      expect((await service.get(path, by)).data).toMatchObject({ status: 'DISABLED', disabledReason: 'GONE' }),
    );
    await publish(third);
    const stream = service.follow({ caller: by, query: '?since=2020-01-01' });
    const logged = await stream.has(4);
    expect(logged.find(({ eventType }) => eventType === 'webhook_endpoint.disabled')?.payload).toMatchObject({
      disabledReason: 'GONE',
    });
    expect(await statuses(by)).toEqual(['DELIVERED', 'CANCELED']);
    receiver.respond(() => ({ status: 200 }));
    expect((await service.post(`${path}/enable`, {}, by)).data).toMatchObject({ status: 'ENABLED', disabledAt: null });
    await publish(fourth);
    const received = await receiver.has(6);
    const versions = received.slice(2).filter(({ event }) => event.aggregateId === 'usr_disabled');
    expect(versions.map(({ event }) => event.metadata.aggregateVersion)).toEqual([2, 3, 4]);
  });

  it('continues from now when it is enabled without a replay', async () => {
    const { receiver, by, path, marketplaceId } = await anEndpoint({ body: { types: ['order.*'] } });
    await service.post(`${path}/disable`, {}, by);
    const [missed, next] = events(marketplaceId, 2);
    const stream = service.follow({ caller: by });
    await stream.opened;
    await service.broker.publish(missed === undefined ? [] : [missed]);
    await stream.has(1);
    await service.post(`${path}/enable`, { replay: false }, by);
    await service.broker.publish(next === undefined ? [] : [next]);
    expect((await receiver.has(1)).map(({ event }) => event.eventId)).toEqual([next?.id]);
  });
});

describe('the test clock of a marketplace', () => {
  const advanceTo = (marketplaceId: `mkt_${string}`, offsetSeconds: number) =>
    service.broker.publish([aMessage(testClockAdvanced, { marketplaceId, offsetSeconds }, { marketplaceId })]);
  const nextAttemptsOf = async ({ by }: { readonly by: { readonly marketplaceId: `mkt_${string}` } }) => {
    const [listed] = (await deliveriesOf(by)) as (Listed & { readonly nextAttemptAt: string })[];
    const { data } = await service.get(`/webhook-deliveries/${listed?.id ?? ''}`, by);
    expect((data as { nextAttemptAt: string }).nextAttemptAt).toBe(listed?.nextAttemptAt);
    return Date.parse(listed?.nextAttemptAt ?? '');
  };

  /** The next attempt is in ten minutes. */
  async function aRetry() {
    const endpoint = await anEndpoint();
    endpoint.receiver.respond(() => ({ status: 503 }));
    await service.broker.publish(events(endpoint.marketplaceId, 1));
    await eventually(async () => expect(await deliveriesOf(endpoint.by)).toMatchObject([{ status: 'RETRYING', attempts: 3 }]));
    return endpoint;
  }

  it('makes retries due that it passes, shows their times by it, and never goes back', async () => {
    const [mine, other] = [await aRetry(), await aRetry()];
    const dueAt = await nextAttemptsOf(mine);
    await advanceTo(mine.marketplaceId, 60);
    await eventually(async () =>
      expect(
        await service.database.asAdmin('select offset_seconds from notifications.test_clocks where marketplace_id = $1', [
          mine.marketplaceId,
        ]),
      ).toEqual([{ offset_seconds: 60 }]),
    );
    await advanceTo(mine.marketplaceId, 30);
    mine.receiver.respond(() => ({ status: 200 }));
    const [retry] = (await deliveriesOf(mine.by, '&status=RETRYING')) as (Listed & { readonly nextAttemptAt: string })[];
    expect([retry?.attempts, Date.parse(retry?.nextAttemptAt ?? '')]).toEqual([3, dueAt]);
    await advanceTo(mine.marketplaceId, 900);
    await eventually(async () => expect(new Set(await statuses(mine.by))).toEqual(new Set(['DELIVERED'])));
    expect(await deliveriesOf(other.by)).toMatchObject([{ status: 'RETRYING', attempts: 3 }]);
  });
});
