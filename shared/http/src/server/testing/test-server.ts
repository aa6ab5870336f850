import { connect } from 'node:net';
import { z } from 'zod';
import { systemClock, type Context } from '@holdfast/kernel/context';
import { route } from '@holdfast/contracts/http';
import { freeText, pageQuery } from '@holdfast/contracts/shapes';
import { AppError } from '@holdfast/kernel/errors';
import { createMetrics } from '@holdfast/observability';
import { collectingLog } from '@holdfast/testing/log';
import { handle, startHttpServer, type HttpServerOptions } from '../index.js';

const amount = z.string().regex(/^[0-9]{1,11}(\.[0-9]{1,2})?$/, 'must be a decimal string such as "12.50"');
const params = z.strictObject({ userId: z.string().regex(/^usr_[A-Za-z0-9]{1,64}$/) });
const common = { service: 'ledger-balance', auth: 'write', idempotent: true, params, malformedParams: 'USER_NOT_FOUND' } as const;
const emptyObject = z.strictObject({});

const credit = route({
  ...common, name: 'credit', method: 'post', path: '/users/{userId}/credit', summary: 'Credit', family: 'plain', query: emptyObject,
  body: z.strictObject({
    amount,
    clientRef: freeText(10).min(1).optional(),
    kind: z.enum(['GIFT', 'WAGE']).optional(),
    count: z.int().min(1).max(5).optional(),
    milestones: z.array(z.strictObject({ milestoneRef: z.string(), dueAt: z.string().optional() })).max(3).optional(),
    currency: z.string().default('USD'),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
  refusals: { amount: 'INVALID_AMOUNT' },
  success: { status: 200, data: z.unknown() }, errors: [],
}); // prettier-ignore

const list = route({
  ...common, name: 'list', method: 'get', path: '/users/{userId}/credits', summary: 'List', family: 'plain', body: emptyObject,
  query: z.strictObject({ limit: pageQuery.limit, createdAfter: pageQuery.createdAfter }),
  success: { status: 200, data: z.unknown(), list: true }, errors: [],
}); // prettier-ignore

const order = route({
  ...common, name: 'order', method: 'post', path: '/users/{userId}/order', summary: 'Order', family: 'order', query: emptyObject,
  body: z.unknown(), success: { status: 201, data: z.unknown() }, errors: [],
}); // prettier-ignore

const createThing = route({
  ...common, name: 'createThing', method: 'post', path: '/users/{userId}/things', summary: 'Create', family: 'plain', query: emptyObject,
  body: emptyObject, success: { status: 201, existingStatus: 200, data: z.unknown() }, errors: [],
}); // prettier-ignore

const internalRoute = route({
  ...common, name: 'internalRoute', method: 'get', path: '/internal/{userId}', summary: 'Internal', family: 'plain', query: emptyObject,
  isInternal: true, body: emptyObject, success: { status: 200, data: z.unknown() }, errors: [],
}); // prettier-ignore

export const master = {
  type: 'master',
  id: 'master',
  marketplaceId: 'mkt_default',
  scopes: ['read', 'write', 'support'],
} as const;

export type ReceivedRequest = { readonly input: unknown; readonly ctx: Context };

/** A server whose routes record their input and run `act`. */
export async function aServer(options: Partial<HttpServerOptions> & { readonly act?: () => Promise<unknown> } = {}) {
  const received: ReceivedRequest[] = [];
  const log = collectingLog();
  const metrics = createMetrics({ service: 'test', processMetrics: false });
  const act = options.act ?? (() => Promise.resolve({ done: true }));
  const record = (input: unknown, ctx: Context): Promise<unknown> => {
    received.push({ input, ctx });
    return act();
  };
  const handleListed = async (input: unknown, ctx: Context) => {
    await record(input, ctx);
    return { items: [{ id: 1 }], nextCursor: 'c1' };
  };
  const handleCreated = async (input: unknown, ctx: Context) => {
    const isNew = received.length === 0;
    return { isNew, data: await record(input, ctx) };
  };
  const server = await startHttpServer({
    host: '127.0.0.1', port: 0, log, metrics, clock: systemClock(),
    routes: [handle(credit, record), handle(list, handleListed), handle(order, record), handle(createThing, handleCreated), handle(internalRoute, record)],
    authenticateCaller: (header) => {
      if (header !== 'signed') throw new AppError('UNAUTHORIZED');
      return { caller: master, operationId: 'op-1' };
    },
    ...options,
  }); // prettier-ignore
  return {
    ...server,
    received,
    log,
    metrics,
    api: `${server.url}/api/v1`,
    send: (path: string, init?: RequestInit) => request(`${server.url}${path}`, init),
  };
}

export async function request(url: string, init: RequestInit = {}) {
  const headers = new Headers(init.headers);
  if (!headers.has('x-holdfast-caller')) headers.set('x-holdfast-caller', 'signed');
  if (init.body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const response = await fetch(url, { ...init, headers });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** Sends exactly these bytes, piece by piece, and returns everything received until the connection ends. */
export function sendRaw(
  port: number,
  pieces: readonly (string | Buffer)[],
  options: { readonly end?: boolean } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece);
      if (options.end === true) socket.end();
    });
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('close', () => resolve(received));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(received) : reject(error),
    );
  });
}
