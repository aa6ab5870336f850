import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@holdfast/testing/eventually';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
import { textOf } from '../faults/order-life.js';
import { failureOf, type PatientClient } from './patient-client.js';

/** People who buy, top up and look, until they are stopped. */
export type Load = {
  readonly orders: readonly string[];
  readonly topups: readonly string[];
  /** Lets everything that has begun end. Rejects when a call failed without a response. */
  readonly stop: () => Promise<void>;
};

const buyers = isFullMatrix ? 2 : 1;
const pauseMs = 500;
const settleTimeoutMs = 60_000;

export function startLoad(client: PatientClient): Load {
  const orders: string[] = [];
  const topups: string[] = [];
  const stopping = new AbortController();
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!stopping.signal.aborted) {
      await work();
      await pause(pauseMs);
    }
  };
  const running = Promise.all([
    ...Array.from({ length: buyers }, () => repeat(async () => void orders.push(await buy(client)))),
    repeat(async () => void topups.push(await topUp(client))),
  ]);
  // The rejection is reported by `stop`.
  running.catch(() => undefined);
  return {
    orders,
    topups,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** One whole order, from its users to its end. */
async function buy(client: PatientClient): Promise<string> {
  const [buyerId, sellerId] = [await aUser(client), await aUser(client)];
  await post(client, `/users/${buyerId}/balance/credit`, { amount: '100.00' });
  const id = await post(client, '/orders', { buyerId, sellerId, amount: '100.00', title: 'A vase', milestones: [] });
  for (const [index, step] of ['reserve', 'escrow', 'escrow/fund', 'resolution/release'].entries())
    await advance(client, { id, step, progress: index + 1 });
  return id;
}

async function topUp(client: PatientClient): Promise<string> {
  const userId = await aUser(client);
  await post(client, `/users/${userId}/payment-account/link`, { email: `${userId.toLowerCase()}@example.com` });
  return post(client, '/topups', { userId, amount: '40.00' });
}

function aUser(client: PatientClient): Promise<string> {
  return post(client, '/users', { externalUserId: `user-${randomUUID()}` });
}

/** The id in the response, if it has one. */
async function post(client: PatientClient, path: string, body: object): Promise<string> {
  const { data } = await client.send({ method: 'POST', path, body, key: randomUUID() });
  return typeof data['id'] === 'string' ? data['id'] : '';
}

type Advance = { readonly id: string; readonly step: string; readonly progress: number };

/**
 * A step of an order has no idempotency key: its state guards it. A caller that repeats one after a 503 may learn that it has happened, and
 * looks at the order then.
 */
async function advance(client: PatientClient, { id, step, progress }: Advance): Promise<void> {
  const call = { method: 'POST', path: `/orders/${id}/${step}`, body: {} } as const;
  const reply = await client.send(step === 'resolution/release' ? call : { method: 'POST', path: call.path });
  if (reply.status < 300 || reply.postponed === 0 || reply.code !== 'INVALID_STATE') return;
  client.accept(failureOf(call, reply));
  await eventually(async () => expect(await progressOf(client, id)).toBeGreaterThanOrEqual(progress), {
    timeoutMs: settleTimeoutMs,
  });
}

const progressByStatus: Readonly<Record<string, number>> = { FUNDS_RESERVED: 1, ESCROW_FUNDING: 2, IN_PROGRESS: 3, CLOSED: 4 };

async function progressOf(client: PatientClient, id: string): Promise<number> {
  const { data } = await client.send({ method: 'GET', path: `/orders/${id}` });
  const reached = progressByStatus[textOf(data, 'status')] ?? 0;
  return reached === 1 && data['escrow'] !== null ? 2 : reached;
}
