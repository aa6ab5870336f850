import { z } from 'zod';
import { createHttpClient } from '@holdfast/http/client';
import type { OrdersPlatform } from './start-orders-platform.js';

/** The calls of one order's life, in their order. */
export const steps = ['create', 'reserve', 'escrow', 'fund', 'release'] as const;
export type Step = (typeof steps)[number];

export type Marketplace = {
  /** One whole order between two of the users, checked at every step. Returns how long each call took. */
  readonly runOrder: (onStep: (step: Step, tookMs: number) => void) => Promise<void>;
  readonly close: () => Promise<void>;
};

const usersCount = 64;
const amount = '10.00';
const funds = '1000000.00';
const connectionsMax = 64;
/** Longer than the platform waits for a saga. */
const timeoutMs = 80_000;

const record = z.looseObject({ id: z.string().optional(), status: z.string().optional() });
/** Responses of resolution routes have a record within a record. */
const responseBody = z.object({ data: z.looseObject({ data: record.optional(), ...record.shape }) });

/** Users with money and wallets that are in use already: what is measured is the order and nothing before it. */
export async function openMarketplace({ baseUrls, key }: OrdersPlatform): Promise<Marketplace> {
  // The client of the services: it takes little of the processor that it shares with what it measures.
  const errors = { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'SERVICE_UNAVAILABLE' } as const;
  const clients = baseUrls.map((baseUrl) => createHttpClient({ baseUrl, timeoutMs, connectionsMax, errors }));
  let requests = 0;
  const headers = { authorization: `Bearer ${key}` };
  const post = async (path: string, body?: unknown): Promise<z.output<typeof record>> => {
    requests += 1;
    const client = clients[requests % clients.length];
    if (client === undefined) throw new Error('there is no gateway');
    const { data } = await client.request({
      method: 'POST',
      path,
      headers,
      responseSchema: responseBody,
      ...(body === undefined ? {} : { body }),
    });
    return data.data ?? data;
  };
  // The users of an earlier run on the same data have money that is still theirs.
  const makeUser = async (name: string): Promise<string> => (await post('/users', { externalUserId: name })).id ?? '';
  const pairs: { readonly buyerId: string; readonly sellerId: string }[] = [];
  for (let index = 0; index < usersCount / 2; index += 1) {
    const pair = { buyerId: await makeUser(`buyer-${index.toString()}`), sellerId: await makeUser(`seller-${index.toString()}`) };
    await post(`/users/${pair.buyerId}/balance/credit`, { amount: funds });
    pairs.push(pair);
  }
  let orders = 0;
  return {
    runOrder: async (onStep) => {
      const pair = pairs[orders % pairs.length];
      orders += 1;
      const step = async (name: Step, status: string, call: () => Promise<z.output<typeof record>>): Promise<string> => {
        const begunAt = performance.now();
        const order = await call();
        onStep(name, performance.now() - begunAt);
        if (order.status !== status) throw new Error(`after ${name} the order is ${String(order.status)}`);
        return order.id ?? '';
      };
      const id = await step('create', 'ORDER_CREATED', () => post('/orders', { ...pair, amount, title: 'A vase' }));
      await step('reserve', 'FUNDS_RESERVED', () => post(`/orders/${id}/reserve`));
      await step('escrow', 'ESCROW_FUNDING', () => post(`/orders/${id}/escrow`));
      await step('fund', 'IN_PROGRESS', () => post(`/orders/${id}/escrow/fund`));
      await step('release', 'CLOSED', () => post(`/orders/${id}/resolution/release`));
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}
