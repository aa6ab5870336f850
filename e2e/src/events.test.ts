import type { AuditEntryRecord, EventRecord } from '@holdfast/contracts/http';
import { systemClock } from '@holdfast/kernel/context';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { catalogue, comesByItself, eventsOf, expected, inCausalOrder, typesOf } from './events/expected.js';
import { playMilestones } from './events/play-milestones.js';
import { startReader, type Reader } from './events/reader.js';
import { anOrder, aUser, bringTo, call, textOf, type Ending, type Milestone, type Order } from './faults/order-life.js';
import { aPayment, atProvider, callStep, drivePaymentToEnd, topupOf, withdrawalOf } from './faults/payment-life.js';
import { sandboxControl } from './faults/sandbox-control.js';
import { apiOf, type Api } from './testing/api.js';
import { runProgram } from './testing/program.js';
import type { PlatformFacts } from './testing/provide-platform.js';
import { openMarketplace, settingsOf, sharedPlatform } from './testing/shared-platform.js';

jest.setTimeout(120_000);

/** A failed funding is played over RabbitMQ: on the shared platform its fault would meet others, too. */
const stories = ['release', 'refund', 'split', 'cancel'] as const satisfies readonly (keyof typeof expected & Ending)[];
type Story = (typeof stories)[number];

/** The times in ids come from clocks that differ by less. */
const clockErrorMsMax = 1_000;
const { epochMs } = systemClock();
const startedAtMs = epochMs() - clockErrorMsMax;
const orders = new Map<Story, Order>();
const readers: Reader[] = [];
let platform: PlatformFacts;
let api: Api;
let key: string;
/** Reads from beginning to end. */
let steady: Reader;
/** Leaves in the middle, and continues later. */
let passing: readonly Reader[] = [];
/** Of another marketplace. */
let stranger: Reader;

const twoMilestones: readonly Milestone[] = [
  { ref: 'draft', title: 'First draft', amount: '40.00' },
  { ref: 'final', title: 'Final version', amount: '60.00' },
];

async function follow(credential: string, lastEventId?: string): Promise<Reader> {
  const reader = await startReader(platform.baseUrl, credential, lastEventId);
  readers.push(reader);
  return reader;
}

async function play(ending: Story, milestones: readonly Milestone[] = []): Promise<void> {
  const order = await anOrder(api, milestones);
  orders.set(ending, order);
  await bringTo(api, order, ending);
  expect((await call(api, order, ending)).status).toBe(ending === 'cancel' ? 201 : 200);
}

async function published(...types: readonly string[]): Promise<void> {
  await eventually(() => expect(typesOf(steady.events())).toEqual(expect.arrayContaining(types)));
}

/** Top-ups and withdrawals with every end that they can have. */
async function playPayments(): Promise<void> {
  const apis = { api, sandbox: sandboxControl(platform.sandboxUrl) };
  const flows = ['top-up', 'late', 'canceled', 'failed'] as const;
  await Promise.all(flows.map(async (flow) => drivePaymentToEnd(apis, await aPayment(apis, flow))));
  const declined = await aPayment(apis, 'top-up');
  await callStep(apis, declined, 'create-topup');
  await atProvider(apis.sandbox, 'payins', await topupOf(api, declined), 'fail');
  const awaited = await aPayment(apis, 'bank');
  await callStep(apis, awaited, 'create-withdrawal');
  await callStep(apis, awaited, 'commit');
  await atProvider(apis.sandbox, 'payouts', await withdrawalOf(api, awaited), 'require-action');
  await callStep(apis, awaited, 'refresh-withdrawal');
  await drivePaymentToEnd(apis, awaited);
  await published('topup.failed', 'withdrawal.completed');
}

async function disableEndpoint(): Promise<void> {
  const { data } = await api.post('/webhook-endpoints', { url: 'http://127.0.0.1:9/', types: ['webhook_endpoint.*'] });
  expect((await api.post(`/webhook-endpoints/${textOf(data, 'id')}/disable`)).status).toBe(200);
  await published('webhook_endpoint.disabled');
}

/** Published after a day of failures; `webhook-time.int.test.ts` of notifications moves the clock. */
const takesADay = 'webhook_endpoint.failing';

beforeAll(async () => {
  platform = await sharedPlatform();
  const [own, other] = [await openMarketplace(platform, 'Events'), await openMarketplace(platform, 'Another')];
  ({ api, key } = own);
  [steady, stranger] = [await follow(key), await follow(other.key)];

  const before = await follow(key);
  await Promise.all([play('release', twoMilestones), play('refund')]);
  await eventually(() => expect(before.events().length).toBeGreaterThan(10));
  before.stop();
  await Promise.all([play('split'), play('cancel'), playPayments()]);
  const debited = await aUser(api, 'debited');
  await api.post(`/users/${debited}/balance/credit`, { amount: '5.00' });
  await api.post(`/users/${debited}/balance/debit`, { amount: '2.00' });
  await disableEndpoint();
  await apiOf(platform.baseUrl, platform.masterKey).patch(`/marketplaces/${own.id}`, { disputeDecisionPeriod: 'PT2S' });
  await playMilestones(api, twoMilestones, published);
  passing = [before, await follow(key, before.lastEventId())];
  await aUser(other.api, 'foreign');
  await published('balance.debited');
  await eventually(() => expect(stranger.events()).toHaveLength(2));
}, serverStartTimeoutMs);

afterAll(() => {
  for (const reader of readers) reader.stop();
});

function ofStory(story: Story): readonly EventRecord[] {
  const order = orders.get(story);
  if (order === undefined) throw new Error(`${story} was not played`);
  return eventsOf(steady.events(), order);
}

describe('GET /events of a running platform', () => {
  it.each(stories)('has exactly the expected events of a %s, in causal order', async (story) => {
    await eventually(() => expect(typesOf(ofStory(story)).length).toBeGreaterThanOrEqual(expected[story].length));
    expect(inCausalOrder(typesOf(ofStory(story)))).toEqual(expected[story]);
  });

  it('credits the seller of a split before the buyer', () => {
    const { buyerId, sellerId } = orders.get('split') ?? {};
    const credited = ofStory('split').filter(({ payload }) => payload['source'] === 'dispute_split');
    expect(credited.map(({ aggregateId }) => aggregateId)).toEqual([sellerId, buyerId]);
  });

  it('says that money left because the escrow was funded', () => {
    const [released] = ofStory('refund').filter(({ eventType }) => eventType === 'balance.released');
    expect(released?.payload).toMatchObject({ reason: 'escrow_funded', orderId: orders.get('refund')?.id });
  });

  it('links every user to the ledger network once, after telling of the user', async () => {
    const users = steady.events().filter(({ eventType }) => eventType === 'user.created');
    for (const { aggregateId } of users) {
      const ofUser = () =>
        steady
          .events()
          .filter(
            (published) =>
              published.aggregateType === 'User' &&
              published.aggregateId === aggregateId &&
              published.eventType !== 'user.payment_account_linked',
          );
      await eventually(() => expect(ofUser().map(({ eventType }) => eventType)).toEqual(['user.created', comesByItself]));
    }
  });

  it('has every event of the catalogue, each valid by its schema', async () => {
    await eventually(() => {
      const seen = new Set<string>(steady.events().map(({ eventType }) => eventType));
      expect(catalogue.map(({ type }) => type).filter((type) => !seen.has(type))).toEqual([takesADay]);
    });
    for (const { eventType, payload, aggregateType, aggregateId, metadata } of steady.events()) {
      const declaration = catalogue.find(({ type }) => type === eventType);
      expect([eventType, declaration?.payload.safeParse(payload).error]).toEqual([eventType, undefined]);
      expect(aggregateType).toBe(declaration?.aggregateType);
      expect(JSON.stringify([payload, aggregateId, metadata])).not.toMatch(/unknown|undefined|""/i);
    }
  });

  it('gives each event once, with its own id and moments that strictly increase', () => {
    const events = steady.events();
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length);
    const moments = events.map(({ occurredAt }) => occurredAt);
    expect(moments).toEqual([...new Set(moments)].sort());
    for (const moment of moments) expect(moment).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  });

  it('names as the cause of an event an event of the stream, or none', () => {
    const typeOf = new Map<string, string>(steady.events().map(({ eventId, eventType }) => [eventId, eventType]));
    const causes = steady.events().map(({ metadata }) => metadata.causationId);
    expect(causes.filter((cause) => cause !== null && !typeOf.has(cause))).toEqual([]);
    const ofRelease = ofStory('release').map(({ eventType, metadata }) => [eventType, typeOf.get(metadata.causationId ?? '')]);
    expect(ofRelease.filter(([type, cause]) => cause !== undefined && type !== comesByItself)).toEqual([
      ['order.funds_reserved', 'balance.reserved'],
      ['escrow.created', 'order.escrow_creating'],
      ['order.escrow_funding', 'escrow.created'],
      ['balance.released', 'escrow.funding_started'],
      ['escrow.funded', 'balance.released'],
      ['order.escrow_funded', 'escrow.funded'],
      ['order.in_progress', 'escrow.funded'],
      ['escrow.released', 'order.release_requested'],
      ['balance.credited', 'escrow.released'],
      ['order.released', 'balance.credited'],
      ['order.closed', 'balance.credited'],
    ]);
  });

  it('has ids that contain the time of the event', () => {
    const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    const timeOf = (id: string) => Array.from(id.slice(4, 14)).reduce((ms, digit) => ms * 32 + crockford.indexOf(digit), 0);
    const times = steady.events().map(({ eventId }) => timeOf(eventId));
    expect(times.filter((ms) => ms < startedAtMs || ms > epochMs() + clockErrorMsMax)).toEqual([]);
  });

  it('resumes without loss when a subscriber reconnects with its last id', async () => {
    const known = passing[0]?.events()[0]?.eventId;
    const all = () => steady.events().slice(steady.events().findIndex(({ eventId }) => eventId === known));
    const read = () => passing.flatMap((reader) => reader.events());
    await eventually(() => expect(read().map(({ eventId }) => eventId)).toEqual(all().map(({ eventId }) => eventId)));
  });

  it('shows another marketplace nothing but its own', () => {
    expect(stranger.events().map(({ eventType }) => eventType)).toEqual(['user.created', comesByItself]);
  });
});

type Entry = Pick<AuditEntryRecord, 'action' | 'occurredAt' | 'resourceType' | 'resourceId' | 'relatedIds'>;

/** Oldest first. */
async function auditOf(resourceId: string): Promise<readonly Entry[]> {
  const response = await fetch(`${platform.baseUrl}/audit/logs?resourceId=${resourceId}&limit=100`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { data } = (await response.json()) as { data: { data: readonly Entry[] } };
  return data.data.toReversed();
}

const actionsOf = (entries: readonly Entry[]): readonly string[] => entries.map(({ action }) => action);

describe('GET /audit/logs of a running platform', () => {
  it('200 lists the actions on an order, with the moments of their events on the stream', async () => {
    const reported = {
      ORDER_CREATED: 'order.created',
      FUNDS_RESERVED: 'order.funds_reserved',
      ESCROW_CREATING: 'order.escrow_creating',
      ESCROW_FUNDING: 'order.escrow_funding',
      ESCROW_FUNDING_STARTED: 'escrow.funding_started',
      IN_PROGRESS: 'order.in_progress',
      RELEASE_REQUESTED: 'order.release_requested',
      RELEASED: 'order.released',
      CLOSED: 'order.closed',
    };
    const actions = Object.keys(reported).toSpliced(6, 0, 'MILESTONE_COMPLETED', 'MILESTONE_COMPLETED');
    const entries = await eventually(async () => {
      const found = await auditOf(orders.get('release')?.id ?? '');
      expect(actionsOf(found)).toEqual(actions);
      return found;
    });
    const momentsOf = (type: string) =>
      ofStory('release').flatMap(({ eventType, occurredAt }) => (eventType === type ? [occurredAt] : []));
    for (const [action, type] of Object.entries({ ...reported, MILESTONE_COMPLETED: 'escrow.milestone_completed' }))
      expect(entries.filter((entry) => entry.action === action).map(({ occurredAt }) => occurredAt)).toEqual(momentsOf(type));
  });

  it('200 finds a dispute by its own id and by the id of its order', async () => {
    const orderId = orders.get('split')?.id ?? '';
    const ofDispute = (await auditOf(orderId)).filter(({ resourceType }) => resourceType === 'Dispute');
    expect(actionsOf(ofDispute)).toEqual(['DISPUTE_OPENED', 'DISPUTE_ASSIGNED', 'DISPUTE_RESOLVED']);
    expect(ofDispute[0]).toMatchObject({ resourceId: expect.stringMatching(/^dsp_/), relatedIds: [orderId] });
    expect(await auditOf(ofDispute[0]?.resourceId ?? '')).toEqual(ofDispute);
  });

  it('200 lists balance operations by hand and the link of the wallet', async () => {
    const debited = steady.events().find(({ eventType }) => eventType === 'balance.debited')?.aggregateId ?? '';
    const actions = ['USER_CREATED', 'WALLET_LINKED', 'BALANCE_CREDITED', 'BALANCE_DEBITED'];
    await eventually(async () => expect(actionsOf(await auditOf(debited)).toSorted()).toEqual(actions.toSorted()));
  });

  it('is sound, says npm run verify-audit', async () => {
    const { code, output } = await runProgram('verifyAudit', settingsOf(platform));
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('Sound: every entry is as it was') });
  });
});
