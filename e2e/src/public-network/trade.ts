import { divide, formatUnits, parseUnits } from '@holdfast/kernel/money';
import { eventually } from '@holdfast/testing/eventually';
import { left } from '../faults/agreement.js';
import { aUser, driveToEnd, textOf, type Ending, type Milestone, type Order } from '../faults/order-life.js';
import type { Api } from '../testing/api.js';

/** A marketplace with its orders of the day. */
export type Trade = { readonly api: Api; readonly orders: readonly PlannedOrder[] };

export type PlannedOrder = Order & { readonly ending: Ending };

export type Plan = { readonly ending: Ending; readonly milestones?: number };

const amount = '100.00';
const units = parseUnits(amount);

/** One buyer for all orders of the marketplace, so that their transactions compete for one source account; a seller for each. */
export async function planTrade(api: Api, plans: readonly Plan[]): Promise<Trade> {
  const buyerId = await aUser(api, 'buyer');
  const credit = { amount: formatUnits(units * BigInt(plans.length)) };
  expect((await api.post(`/users/${buyerId}/balance/credit`, credit)).status).toBe(200);
  const orders: PlannedOrder[] = [];
  for (const { ending, milestones = 0 } of plans) {
    const sellerId = await aUser(api, 'seller');
    const order = { buyerId, sellerId, amount, title: 'A vase', milestones: milestonesOf(milestones) };
    const created = await api.post('/orders', order);
    expect(created.status).toBe(201);
    orders.push({ id: textOf(created.data, 'id'), buyerId, sellerId, ending });
  }
  return { api, orders };
}

function milestonesOf(count: number): readonly Milestone[] {
  return Array.from({ length: count }, (_, nth) => ({
    ref: `part-${nth.toString()}`,
    title: `Part ${nth.toString()}`,
    amount: formatUnits(divide(units, BigInt(count), 'down')),
  }));
}

/** Drives every order of the marketplace to its end at the same time, as a patient client does. */
export async function trade({ api, orders }: Trade, onEnded: () => void, timeoutMs: number): Promise<void> {
  await Promise.all(
    orders.map(async (order) => {
      await driveToEnd(api, order, order.ending, timeoutMs);
      onEnded();
    }),
  );
}

/** No user was paid twice or too little, and nothing is held any more. */
export async function expectPaid({ api, orders }: Trade, timeoutMs: number): Promise<void> {
  const due = new Map<string, bigint>();
  const add = (userId: string, text: string): void => void due.set(userId, (due.get(userId) ?? 0n) + parseUnits(text));
  for (const { buyerId, sellerId, ending } of orders) {
    add(buyerId, left[ending].buyer);
    add(sellerId, left[ending].seller);
  }
  for (const [userId, dueUnits] of due) {
    await eventually(
      async () => {
        const { data } = await api.get(`/users/${userId}/balance`);
        expect([userId, data['available'], data['reserved']]).toEqual([userId, formatUnits(dueUnits), '0.00']);
      },
      { timeoutMs },
    );
  }
}
