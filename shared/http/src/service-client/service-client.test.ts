import { z } from 'zod';
import { systemClock } from '@holdfast/kernel/context';
import { route } from '@holdfast/contracts/http';
import { AppError } from '@holdfast/kernel/errors';
import { createMetrics } from '@holdfast/observability';
import { silentLog } from '@holdfast/testing/log';
import { callerSigner } from '../caller/index.js';
import { handle, startHttpServer } from '../server/index.js';
import { createServiceClient } from './index.js';

const clock = systemClock();
const secret = 's'.repeat(32);
const signer = callerSigner({ secret, clock });
const greet = route({
  name: 'greet',
  method: 'post',
  path: '/internal/people/{name}/greet',
  service: 'identity',
  summary: 'Greet',
  isInternal: true,
  auth: 'any',
  idempotent: false,
  family: 'plain',
  params: z.strictObject({ name: z.string() }),
  malformedParams: 'NOT_FOUND',
  query: z.strictObject({ mark: z.string().optional() }),
  body: z.strictObject({ word: z.string() }),
  success: { status: 200, data: z.object({ said: z.string() }) },
  errors: [],
});

type ReceivedCall = { readonly marketplaceId: string; readonly requestId: string; readonly id: string };

async function aService(
  options: { readonly said?: unknown; readonly refusal?: AppError | Error; readonly secret?: string } = {},
) {
  const received: ReceivedCall[] = [];
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    log: silentLog,
    metrics: createMetrics({ service: 'test', processMetrics: false }),
    clock,
    authenticateCaller: (header) => callerSigner({ secret: options.secret ?? secret, clock }).verify(header, 'identity'),
    routes: [
      handle(greet, ({ params, query, body }, { caller, requestId }) => {
        received.push({ marketplaceId: caller.marketplaceId, id: caller.id, requestId });
        if (options.refusal !== undefined) return Promise.reject(options.refusal);
        return Promise.resolve({ said: (options.said ?? `${body.word}, ${params.name}${query.mark ?? ''}`) as string });
      }),
    ],
  });
  return { received, stop: server.stop, greet: greetAt(server.url) };
}

function greetAt(baseUrl: string) {
  const client = createServiceClient({ from: 'orders', to: 'identity', baseUrl, signer, timeoutMs: 1_000 });
  const context = { requestId: '0b9c9c0e-5a57-4f0e-a2f6-1f8f5f0c7a11', marketplaceId: 'mkt_1' } as const;
  return (query = {}) => client.call(greet, { params: { name: 'Ada/Ä' }, query, body: { word: 'hello' } }, context);
}

describe('a call of another service', () => {
  it('reaches its declared route with a signed caller, and parses the response', async () => {
    const service = await aService();
    expect(await service.greet()).toEqual({ said: 'hello, Ada/Ä' });
    expect(service.received).toEqual([
      { marketplaceId: 'mkt_1', id: 'orders', requestId: '0b9c9c0e-5a57-4f0e-a2f6-1f8f5f0c7a11' },
    ]);
    await service.stop();
  });

  it('has its query parameters, encoded', async () => {
    const service = await aService();
    expect(await service.greet({ mark: '&?!' })).toEqual({ said: 'hello, Ada/Ä&?!' });
    await service.stop();
  });

  it('throws the error of the other service', async () => {
    const service = await aService({ refusal: new AppError('USER_NOT_FOUND', { userId: 'usr_1' }) });
    await expect(service.greet()).rejects.toMatchObject({ code: 'USER_NOT_FOUND', details: { userId: 'usr_1' } });
    await service.stop();
  });

  it.each([
    ['breaks', { refusal: new Error('a bug') }],
    ['sends another body', { said: 7 }],
    ['refuses the caller token', { secret: 'x'.repeat(32) }],
  ])('is SERVICE_UNAVAILABLE when the other service %s', async (_, options) => {
    const service = await aService(options);
    await expect(service.greet()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await service.stop();
  });

  it('is SERVICE_UNAVAILABLE when the connection is refused, and without a call once the breaker is open', async () => {
    const greetNobody = greetAt('http://127.0.0.1:9');
    for (let call = 0; call < 25; call += 1) await expect(greetNobody()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(greetNobody()).rejects.toMatchObject({ details: { retryAfterSeconds: 5 } });
  });
});
