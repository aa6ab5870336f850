import { Pool } from 'undici';
import { z } from 'zod';
import type { WholePlatform } from './whole-platform.js';

/** The calls of one order's life, in their order. */
export const steps = ['create', 'reserve', 'escrow', 'fund', 'release'] as const;
export type Step = (typeof steps)[number];

export type Marketplace = {
  /** One whole order between two of the users, checked at every step. Tells how long each call took. */
  readonly playOrder: (onStep: (step: Step, tookMs: number) => void) => Promise<void>;
  readonly close: () => Promise<void>;
};

const usersCount = 64;
const amount = '10.00';
const funds = '1000000.00';
const connectionsMax = 64;

const record = z.looseObject({ id: z.string().optional(), status: z.string().optional() });
const answer = z.object({ data: z.union([z.object({ success: z.literal(true), data: record }), record]) });

/** Users with money and wallets that are in use already: what is measured is the order and nothing before it. */
export async function openMarketplace({ baseUrl, key }: WholePlatform): Promise<Marketplace> {
  const { origin, pathname } = new URL(baseUrl);
  const pool = new Pool(origin, { connections: connectionsMax });
  const post = async (path: string, wanted: number, body?: unknown): Promise<z.output<typeof record>> => {
    const { statusCode, body: stream } = await pool.request({
      method: 'POST',
      path: `${pathname}${path}`,
      headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await stream.text();
    if (statusCode !== wanted) throw new Error(`POST ${path} was answered with ${statusCode.toString()}: ${text.slice(0, 300)}`);
    const { data } = answer.parse(JSON.parse(text));
    return 'success' in data ? record.parse(data.data) : data;
  };
  const makeUser = async (name: string): Promise<string> => (await post('/users', 201, { externalUserId: name })).id ?? '';
  const pairs: { readonly buyerId: string; readonly sellerId: string }[] = [];
  for (let index = 0; index < usersCount / 2; index += 1) {
    const pair = { buyerId: await makeUser(`buyer-${index.toString()}`), sellerId: await makeUser(`seller-${index.toString()}`) };
    await post(`/users/${pair.buyerId}/balance/credit`, 200, { amount: funds });
    pairs.push(pair);
  }
  let orders = 0;
  return {
    playOrder: async (onStep) => {
      const pair = pairs[orders % pairs.length];
      orders += 1;
      const step = async (name: Step, status: string, call: () => Promise<z.output<typeof record>>): Promise<string> => {
        const begunAt = performance.now();
        const order = await call();
        onStep(name, performance.now() - begunAt);
        if (order.status !== status) throw new Error(`after ${name} the order is ${String(order.status)}`);
        return order.id ?? '';
      };
      const id = await step('create', 'ORDER_CREATED', () => post('/orders', 201, { ...pair, amount, title: 'A vase' }));
      await step('reserve', 'FUNDS_RESERVED', () => post(`/orders/${id}/reserve`, 201));
      await step('escrow', 'ESCROW_FUNDING', () => post(`/orders/${id}/escrow`, 201));
      await step('fund', 'IN_PROGRESS', () => post(`/orders/${id}/escrow/fund`, 201));
      await step('release', 'CLOSED', () => post(`/orders/${id}/resolution/release`, 200));
    },
    close: () => pool.close(),
  };
}
