import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { systemClock, toInstant } from '@holdfast/kernel/instants';
import { eventually } from '@holdfast/testing/eventually';
import type { Api, ApiResponse } from '../testing/api.js';
import { expectPaidOnce } from './agreement.js';
import { anOrder, bringTo, textOf, type Milestone, type Order } from './order-life.js';
import type { Platform } from './platform.js';

/** What a caller does in the moment in which the review of a milestone ends, with the last word of its path. */
const callOf = { dispute: 'dispute', release: 'release', extension: 'extend-review', 'request for changes': 'request-changes' };
type Race = keyof typeof callOf;

export const races = Object.keys(callOf) as readonly Race[];
export const racedCalls: readonly string[] = Object.values(callOf);

const clock = systemClock();
const everything: Milestone = { ref: 'all', title: 'Everything', amount: '100.00' };
const endTimeoutMs = 90_000;
/** Around the end of the review, so that either side comes first. */
const spreadMs = 60;

const milestoneNow = z.object({
  status: z.string(),
  autoReleaseAt: z.string().nullable(),
  disputeId: z.string().nullable(),
  operation: z.unknown(),
});

async function lookAt(api: Api, { id }: Order, ref = everything.ref) {
  const { data } = await api.get(`/orders/${id}/milestones`);
  const found = z
    .array(z.looseObject({ ref: z.string() }))
    .parse(data['data'])
    .find((each) => each.ref === ref);
  return milestoneNow.parse(found);
}

/** Silence pays after two seconds, and in the same moment a party acts. One of them wins, and the money moves once. */
export async function playRace({ api }: Platform, race: Race): Promise<Order> {
  const order = await anOrder(api, [everything], { releaseMode: 'milestone', reviewPeriod: 'PT2S' });
  await bringTo(api, order, 'release-milestone');
  const path = `/orders/${order.id}/milestones/${everything.ref}`;
  const { milestone } = (await api.post(`${path}/submit`, {})).data;
  const endsAtMs = Date.parse(textOf(milestone, 'autoReleaseAt'));
  await pause(Math.max(0, endsAtMs - clock.epochMs() - spreadMs / 2 + randomInt(spreadMs)));
  const until = toInstant(endsAtMs + 86_400_000);
  const { status, code } = await act(api, path, race, until);
  expect([201, 400, 504]).toContain(status);
  if (status === 400) expect(['INVALID_STATE', 'VALIDATION_ERROR']).toContain(code);
  await endOf(api, order, { path, hasWon: status === 201, race });
  return order;
}

function act(api: Api, path: string, race: Race, until: string): Promise<ApiResponse> {
  const bodies: Readonly<Record<Race, object>> = {
    dispute: { openedBy: 'BUYER', reason: 'NOT_DELIVERED' },
    release: {},
    extension: { until },
    'request for changes': { reason: 'It is too small.' },
  };
  return api.post(`${path}/${callOf[race]}`, bodies[race]);
}

type Played = { readonly path: string; readonly hasWon: boolean; readonly race: Race };

/** What won stays as it is: the timer does not pay against it. */
async function endOf(api: Api, order: Order, { path, hasWon, race }: Played): Promise<void> {
  if (hasWon && race !== 'release') {
    const { status, operation } = await lookAt(api, order);
    expect([race, status, operation]).toEqual([race, statusAfter[race], null]);
    const end = race === 'dispute' ? resolveForBuyer(api, order) : api.post(`${path}/refund`, { reason: 'It broke.' });
    // On a busy machine the time limit of the request may pass first; the saga continues, and what counts is that the order closes.
    expect([200, 201, 504]).toContain((await end).status);
  }
  await eventually(async () => expect(textOf((await api.get(`/orders/${order.id}`)).data, 'status')).toBe('CLOSED'), {
    timeoutMs: endTimeoutMs,
  });
  await expectPaidOnce(api, order, hasWon && race !== 'release' ? 'refund-milestone' : 'release-milestone');
}

const statusAfter = { dispute: 'DISPUTED', extension: 'SUBMITTED', 'request for changes': 'OPEN' } as const;

async function resolveForBuyer(api: Api, order: Order): Promise<ApiResponse> {
  const { disputeId } = await lookAt(api, order);
  await api.post(`/disputes/${disputeId ?? ''}/assign`, { assignedTo: 'agent-3' });
  return api.post(`/disputes/${disputeId ?? ''}/resolve`, { decision: 'FULL_REFUND' });
}

/** The provider is down when the timer fires. The timer tries again, and pays once. */
export async function playTimerWithoutProvider({ api, sandbox }: Platform): Promise<Order> {
  const order = await anOrder(api, [everything], { releaseMode: 'milestone', reviewPeriod: 'PT1S' });
  await bringTo(api, order, 'release-milestone');
  await sandbox.arm({ target: 'escrow-provider', operation: 'approve', kind: 'wrong-function' });
  await api.post(`/orders/${order.id}/milestones/${everything.ref}/submit`, {});
  await sandbox.whenStruck();
  await eventually(async () => expect(await lookAt(api, order)).toMatchObject({ status: 'SUBMITTED', operation: null }), {
    timeoutMs: endTimeoutMs,
  });
  await sandbox.clear();
  await eventually(async () => expect(await lookAt(api, order)).toMatchObject({ status: 'RELEASED' }), {
    timeoutMs: endTimeoutMs,
  });
  await expectPaidOnce(api, order, 'release-milestone');
  return order;
}

/** Orders whose milestone is under review, one for each period. */
async function reviewsOf(api: Api, periods: readonly string[]): Promise<readonly Order[]> {
  const orders: Order[] = [];
  for (const reviewPeriod of periods) {
    const order = await anOrder(api, [everything], { releaseMode: 'milestone', reviewPeriod });
    await bringTo(api, order, 'release-milestone');
    await api.post(`/orders/${order.id}/milestones/${everything.ref}/submit`, {});
    orders.push(order);
  }
  return orders;
}

async function expectAllPaidOnce(api: Api, orders: readonly Order[]): Promise<void> {
  for (const order of orders) {
    expect(await lookAt(api, order)).toMatchObject({ status: 'RELEASED' });
    await expectPaidOnce(api, order, 'release-milestone');
  }
}

/** The provider is down in the middle of an advance over two reviews: the later one waits for the earlier one, and both are paid once. */
export async function playAdvanceWithoutProvider({ api, sandbox }: Platform): Promise<readonly Order[]> {
  const orders = await reviewsOf(api, ['P1D', 'P2D']);
  await sandbox.arm({ target: 'escrow-provider', operation: 'approve', kind: 'wrong-function' });
  const advancing = api.post('/test-clock/advance', { by: 'P3D' });
  await sandbox.whenStruck();
  const [early, late] = await Promise.all(orders.map((order) => lookAt(api, order)));
  expect([early?.status, late?.status, late?.operation]).toEqual(['SUBMITTED', 'SUBMITTED', null]);
  await sandbox.clear();
  expect((await advancing).status).toBe(200);
  await expectAllPaidOnce(api, orders);
  return orders;
}

/** The service is killed in the middle of an advance. The next process continues, and a repeat of the call advances nothing again. */
export async function playAdvanceThroughDeath({ api, kill, whenReady }: Platform): Promise<readonly Order[]> {
  const orders = await reviewsOf(api, ['P1D', 'P2D', 'P3D']);
  const offsetNow = async () => Number((await api.get('/test-clock')).data['offsetSeconds']);
  const before = await offsetNow();
  const key = crypto.randomUUID();
  const advance = () => api.post('/test-clock/advance', { by: 'P4D' }, key);
  const advancing = advance();
  await eventually(
    async () =>
      expect(await Promise.all(orders.map((order) => lookAt(api, order)))).toContainEqual(
        expect.objectContaining({ status: 'RELEASED' }),
      ),
    {
      timeoutMs: endTimeoutMs,
    },
  );
  kill('orders');
  await whenReady('orders');
  expect([200, 503, 504]).toContain((await advancing).status);
  await eventually(async () => expect((await advance()).status).toBe(200), { timeoutMs: endTimeoutMs });
  expect(await offsetNow()).toBe(before + 4 * 86_400);
  await expectAllPaidOnce(api, orders);
  return orders;
}

const halves: readonly Milestone[] = [
  { ref: 'one', title: 'One half', amount: '50.00' },
  { ref: 'other', title: 'Other half', amount: '50.00' },
];

/** The last two milestones at once: both calls win, and the order ends once. */
export async function playLastTwo({ api }: Platform): Promise<Order> {
  const order = await anOrder(api, halves, { releaseMode: 'milestone' });
  await bringTo(api, order, 'release-milestone');
  const pathOf = (ref: string) => `/orders/${order.id}/milestones/${ref}`;
  for (const { ref } of halves) await api.post(`${pathOf(ref)}/complete`);
  const responses = await Promise.all(halves.map(({ ref }) => api.post(`${pathOf(ref)}/release`, {})));
  for (const { status } of responses) expect([201, 504]).toContain(status);
  await expectClosed(api, order, 'RELEASED');
  await expectPaidOnce(api, order, 'release-milestone');
  return order;
}

/** One milestone is refunded while the other one is released. */
export async function playRefundBesideRelease({ api }: Platform): Promise<Order> {
  const order = await anOrder(api, halves, { releaseMode: 'milestone' });
  await bringTo(api, order, 'release-milestone');
  const pathOf = (ref: string) => `/orders/${order.id}/milestones/${ref}`;
  await api.post(`${pathOf('one')}/complete`);
  const responses = await Promise.all([
    api.post(`${pathOf('one')}/release`, {}),
    api.post(`${pathOf('other')}/refund`, { reason: 'It broke.' }),
  ]);
  for (const { status } of responses) expect([201, 504]).toContain(status);
  await expectClosed(api, order, 'SPLIT');
  const balanceOf = async (userId: string) => (await api.get(`/users/${userId}/balance`)).data;
  expect(await balanceOf(order.sellerId)).toMatchObject({ available: '47.50', reserved: '0.00' });
  expect(await balanceOf(order.buyerId)).toMatchObject({ available: '50.00', reserved: '0.00' });
  return order;
}

async function expectClosed(api: Api, { id }: Order, closeReason: string): Promise<void> {
  await eventually(async () => expect((await api.get(`/orders/${id}`)).data).toMatchObject({ status: 'CLOSED', closeReason }), {
    timeoutMs: endTimeoutMs,
  });
}
