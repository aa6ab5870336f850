import type { RemainingWork } from '@holdfast/contracts/http';
import { escrowSettlementRequested, testClockAdvanced } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { startOrders, stepsUntil, type RunningOrders } from '../testing/running-orders.js';

const daySeconds = 86_400;
const other = 'mkt_other';

let orders: RunningOrders;
/** How far the clock of the default marketplace is ahead. */
let ahead = 0;

beforeAll(async () => {
  orders = await startOrders();
});
afterAll(() => orders.stop());

const asIdentity = { type: 'system', id: 'identity', scopes: [] } as const;

type Report = { readonly offsetSeconds: number; readonly remaining: readonly RemainingWork[] };

async function reported(marketplaceId: string = defaultMarketplaceId): Promise<Report> {
  return (await orders.replica.get(`/internal/test-clocks/${marketplaceId}`, asIdentity)).data as Report;
}

/** Publishes the message as identity does. */
function publishAdvance(offsetSeconds: number, marketplaceId: typeof other | typeof defaultMarketplaceId = defaultMarketplaceId) {
  const about = { aggregateId: marketplaceId, aggregateVersion: offsetSeconds, marketplaceId };
  return orders.simulated.publish(testClockAdvanced, { marketplaceId, offsetSeconds }, about);
}

/** Advances the clock and waits until everything has happened. */
async function advance(days: number): Promise<void> {
  ahead += days * daySeconds;
  await publishAdvance(ahead);
  await eventually(async () => expect(await reported()).toEqual({ offsetSeconds: ahead, remaining: [] }));
}

const milestones = [
  { ref: 'draft', title: 'Draft', amount: '40.00' },
  { ref: 'final', title: 'Final', amount: '60.00' },
];

async function aReview(reviewPeriod: string) {
  const { id } = await orders.anOrderAfter(stepsUntil.inProgress, { milestones, releaseMode: 'milestone', reviewPeriod });
  expect((await orders.post(`/orders/${id}/milestones/draft/submit`, {})).status).toBe(201);
  return { id, statusNow: async () => (await orders.orderNow(id)).milestones[0]?.status };
}

function commands(): readonly string[] {
  return orders.published
    .filter(({ type }) => type === escrowSettlementRequested.type)
    .map(({ payload }) => (payload as { readonly orderId: string }).orderId);
}

describe('a clock that is advanced over many reviews, with two replicas', () => {
  it('releases each once, in the order of their ends, in whichever process', async () => {
    const periods = ['P5D', 'P2D', 'P4D', 'P1D', 'P3D'];
    const reviews = [];
    for (const period of periods) reviews.push({ period, ...(await aReview(period)) });
    const before = commands().length;
    await advance(14);
    const inOrder = reviews.toSorted((one, two) => (one.period < two.period ? -1 : 1)).map(({ id }) => id);
    expect(commands().slice(before)).toEqual(inOrder);
    expect(await Promise.all(reviews.map(({ statusNow }) => statusNow()))).toEqual(periods.map(() => 'RELEASED'));
  });

  it('fires a timer that was set after the advance at its time', async () => {
    const { id, statusNow } = await aReview('PT1S');
    await eventually(async () => expect(await statusNow()).toBe('RELEASED'));
    const { submittedAt } = (await orders.orderNow(id)).milestones[0] ?? {};
    expect(Date.parse(submittedAt ?? '') - orders.clock.epochMs()).toBeGreaterThan((ahead - daySeconds) * 1_000);
  });

  it('does not go back with an older message, and does nothing twice with the same one', async () => {
    const { statusNow } = await aReview('P3D');
    const message = await publishAdvance(ahead + 2 * daySeconds);
    await publishAdvance(daySeconds);
    await orders.simulated.republish(message);
    ahead += 2 * daySeconds;
    await eventually(async () => expect(await reported()).toEqual({ offsetSeconds: ahead, remaining: [] }));
    expect(await statusNow()).toBe('SUBMITTED');
    await advance(1);
    expect(await statusNow()).toBe('RELEASED');
  });
});

describe('a clock of another marketplace', () => {
  it('moves nothing here, and a marketplace without one has the real time', async () => {
    const { statusNow } = await aReview('P3D');
    await publishAdvance(90 * daySeconds, other);
    await eventually(async () => expect((await reported(other)).offsetSeconds).toBe(90 * daySeconds));
    expect([await statusNow(), (await reported()).offsetSeconds]).toEqual(['SUBMITTED', ahead]);
    expect(await reported('mkt_unknown')).toEqual({ offsetSeconds: 0, remaining: [] });
  });
});

describe('a timer that is held', () => {
  it('does not count as remaining, and does not hold back later ones', async () => {
    const [stuck, free] = [await aReview('P1D'), await aReview('P2D')];
    const { sellerId } = await orders.orderNow(stuck.id);
    await orders.database.asAdmin(`update orders.users set status = 'SUSPENDED' where id = $1`, [sellerId]);
    await advance(3);
    expect([await stuck.statusNow(), await free.statusNow()]).toEqual(['SUBMITTED', 'RELEASED']);
    await orders.database.asAdmin(`update orders.users set status = 'ACTIVE' where id = $1`, [sellerId]);
    await orders.database.asAdmin('update orders.timers set due_at = now() where order_id = $1', [stuck.id]);
    await eventually(async () => expect(await stuck.statusNow()).toBe('RELEASED'));
  });
});
