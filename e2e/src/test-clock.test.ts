import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { jsonOf } from './cli/run-holdfast.js';
import { anOrder, bringTo, textOf } from './faults/order-life.js';
import { apiOf, type JsonObject } from './testing/api.js';
import { openMarketplace, settingsOf, sharedPlatform, type Marketplace } from './testing/shared-platform.js';
import type { PlatformFacts } from './testing/provide-platform.js';

const daySeconds = 86_400;
const everything = { ref: 'all', title: 'Everything', amount: '100.00' };

let platform: PlatformFacts;
let one: Marketplace;
let other: Marketplace;

beforeAll(async () => {
  platform = await sharedPlatform();
  [one, other] = [await openMarketplace(platform, 'a clock'), await openMarketplace(platform, 'another clock')];
}, serverStartTimeoutMs);

/** A milestone under review. */
async function aReview({ api }: Marketplace, reviewPeriod: string) {
  const order = await anOrder(api, [everything], { releaseMode: 'milestone', reviewPeriod });
  await bringTo(api, order, 'release-milestone');
  expect((await api.post(`/orders/${order.id}/milestones/all/submit`, {})).status).toBe(201);
  const statusNow = async () => textOf((await api.get(`/orders/${order.id}`)).data, 'status');
  return { ...order, statusNow };
}

async function advance({ api }: Marketplace, by: string): Promise<JsonObject> {
  const { status, data } = await api.post('/test-clock/advance', { by });
  expect(status).toBe(200);
  return data;
}

describe('POST /test-clock/advance', () => {
  it('200 once everything of the marketplace has happened, in the order of its time, and nothing of another one', async () => {
    const late = await aReview(one, 'P9D');
    const early = await aReview(one, 'P3D');
    const elsewhere = await aReview(other, 'P3D');
    expect(await advance(one, 'P14D')).toMatchObject({ offsetSeconds: 14 * daySeconds });
    expect([await early.statusNow(), await late.statusNow(), await elsewhere.statusNow()]).toEqual([
      'CLOSED',
      'CLOSED',
      'IN_PROGRESS',
    ]);
    const releasedAt = await Promise.all(
      [early, late].map(async ({ id }) => {
        const { data } = await one.api.get(`/orders/${id}/milestones`);
        return /"releasedAt":"([^"]+)"/.exec(JSON.stringify(data))?.[1] ?? '';
      }),
    );
    expect(releasedAt).toEqual(releasedAt.toSorted());
    expect(await advance(other, 'P4D')).toMatchObject({ offsetSeconds: 4 * daySeconds });
    expect(await elsewhere.statusNow()).toBe('CLOSED');
  });

  it('200 for both of two at the same time, and once for a repeated Idempotency-Key', async () => {
    const before = (await other.api.get('/test-clock')).data['offsetSeconds'] as number;
    await Promise.all([advance(other, 'P1D'), advance(other, 'P1D')]);
    const key = crypto.randomUUID();
    for (let time = 0; time < 2; time += 1) await other.api.post('/test-clock/advance', { by: 'P1D' }, key);
    expect((await other.api.get('/test-clock')).data['offsetSeconds']).toBe(before + 3 * daySeconds);
  });

  it('403 INSUFFICIENT_SCOPE for a key that only reads, which sees the clock', async () => {
    const given = { name: 'reader', scopes: ['read'], marketplaceId: one.id };
    const { data } = await apiOf(platform.baseUrl, platform.masterKey).post('/auth/api-keys', given);
    const reader = apiOf(platform.baseUrl, textOf(data, 'key'));
    const { status, code } = await reader.post('/test-clock/advance', { by: 'P1D' });
    expect([status, code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect((await reader.get('/test-clock')).status).toBe(200);
  });
});

describe('holdfast clock', () => {
  it('shows the clock and advances it', async () => {
    const settings = { ...settingsOf(platform), HOLDFAST_KEY: one.key };
    const { statusNow } = await aReview(one, 'PT36H');
    const before = (await jsonOf(settings, 'clock')) as unknown as { readonly offsetSeconds: number };
    const after = await jsonOf(settings, 'clock', 'advance', 'P2D');
    expect(after).toMatchObject({ offsetSeconds: before.offsetSeconds + 2 * daySeconds });
    expect(await statusNow()).toBe('CLOSED');
  });
});
