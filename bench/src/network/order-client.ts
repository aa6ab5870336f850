import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { OrdersPlatform } from '../orders/start-orders-platform.js';
import { steps, type Step } from '../orders/marketplace.js';

/** One HTTP call of an order's life; times are unix milliseconds. */
export type Call = { readonly step: Step; readonly startedAt: number; readonly endedAt: number };

/** An order from its first call to its last response. */
export type PlayedOrder = {
  readonly id: string;
  readonly calls: readonly Call[];
  /** What must not happen: a response other than a success, or than 504 with a success soon after it. */
  readonly failure: string | undefined;
  /** Calls that got 504 and whose step succeeded by itself. */
  readonly lateSteps: number;
};

export type Party = { readonly buyerId: string; readonly sellerId: string };

export type OrderClient = {
  readonly makeParty: (name: string) => Promise<Party>;
  readonly play: (party: Party) => Promise<PlayedOrder>;
};

const requestTimeoutMs = 240_000;
const lateTimeoutMs = 300_000;
const pollMs = 1_000;
const amount = '10.00';
const funds = '1000000.00';

const record = z.looseObject({ id: z.string().optional(), status: z.string().optional() });
const body = z.object({
  data: z.looseObject({ data: record.optional(), ...record.shape }).optional(),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
});

type Response = { readonly status: number; readonly order: z.output<typeof record>; readonly error: string };

const statusAfter: Readonly<Record<Step, string>> = {
  create: 'ORDER_CREATED',
  reserve: 'FUNDS_RESERVED',
  escrow: 'ESCROW_FUNDING',
  fund: 'IN_PROGRESS',
  release: 'CLOSED',
};

const pathOf: Readonly<Record<Exclude<Step, 'create'>, string>> = {
  reserve: 'reserve',
  escrow: 'escrow',
  fund: 'escrow/fund',
  release: 'resolution/release',
};

/** A marketplace that reads what its calls respond, and waits after a 504 until the step has ended. */
export function createOrderClient({ baseUrls, key }: OrdersPlatform, now: () => number): OrderClient {
  let requests = 0;
  const request = async (method: string, path: string, sent?: unknown): Promise<Response> => {
    requests += 1;
    const response = await fetch(`${baseUrls[requests % baseUrls.length] ?? ''}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(sent === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const { data = {}, error } = body.parse(await response.json());
    return { status: response.status, order: data.data ?? data, error: `${error?.code ?? ''} ${error?.message ?? ''}` };
  };
  const makeUser = async (name: string): Promise<string> =>
    (await request('POST', '/users', { externalUserId: name })).order.id ?? '';
  return {
    makeParty: async (name) => {
      const party = { buyerId: await makeUser(`buyer-${name}`), sellerId: await makeUser(`seller-${name}`) };
      const { status, error } = await request('POST', `/users/${party.buyerId}/balance/credit`, { amount: funds });
      if (status !== 200) throw new Error(`a credit was refused: ${error}`);
      return party;
    },
    play: (party) => play({ request, now }, party),
  };
}

type Requests = {
  readonly request: (method: string, path: string, sent?: unknown) => Promise<Response>;
  readonly now: () => number;
};

async function play({ request, now }: Requests, party: Party): Promise<PlayedOrder> {
  const calls: Call[] = [];
  let id = '';
  let lateSteps = 0;
  for (const step of steps) {
    const startedAt = now();
    const post = (): Promise<Response> =>
      step === 'create'
        ? request('POST', '/orders', { ...party, amount, title: 'A vase' })
        : request('POST', `/orders/${id}/${pathOf[step]}`);
    const { status, order, error } = await post();
    const isLate = status === 504 || (status < 300 && order.status !== statusAfter[step]);
    if (isLate) lateSteps += 1;
    else if (status >= 300) return { id, calls, lateSteps, failure: `${step} of ${id} got ${status.toString()} ${error}` };
    id ||= order.id ?? '';
    if (isLate && !(await endsLate(request, id, step)))
      return { id, calls, lateSteps, failure: `${step} of ${id} got ${status.toString()} and never ended` };
    calls.push({ step, startedAt, endedAt: now() });
  }
  return { id, calls, lateSteps, failure: undefined };
}

async function endsLate(request: Requests['request'], id: string, step: Step): Promise<boolean> {
  const deadline = performance.now() + lateTimeoutMs;
  while (performance.now() < deadline) {
    if ((await request('GET', `/orders/${id}`)).order.status === statusAfter[step]) return true;
    await pause(pollMs);
  }
  return false;
}
