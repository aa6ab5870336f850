import type { Router } from 'express';
import type { Metrics } from '@holdfast/observability';
import type { PreparedResponse } from './envelopes.js';
import { createRouter } from './express-app.js';
import { send } from './send.js';

/** Parts that must answer before the process counts as ready. Each check throws when its part does not. */
export type Readiness = Readonly<Record<string, () => Promise<void>>>;

/** What operators request of a process on its own port, without a caller: is it alive, is it ready, how is it doing. */
export function operationsRouter(readiness: Readiness, { registry }: Metrics): Router {
  const router = createRouter();
  router.get('/livez', (_request, response) => send(response, { status: 200, text: '{"status":"alive"}' }));
  router.get('/readyz', async (_request, response) => send(response, await checkReadiness(readiness)));
  router.get('/metrics', async (_request, response) =>
    send(response, { status: 200, text: await registry.metrics(), contentType: registry.contentType }),
  );
  return router;
}

const checkTimeoutMs = 2_000;

async function checkReadiness(readiness: Readiness): Promise<PreparedResponse> {
  const parts = await Promise.all(
    Object.entries(readiness).map(async ([name, check]) => [name, await checkPart(check)] as const),
  );
  const isReady = parts.every(([, state]) => state === 'up');
  const text = JSON.stringify({ status: isReady ? 'ready' : 'not ready', parts: Object.fromEntries(parts) });
  return { status: isReady ? 200 : 503, text };
}

async function checkPart(check: () => Promise<void>): Promise<'up' | 'down' | 'does not answer'> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<'does not answer'>((resolve) => {
    timer = setTimeout(() => resolve('does not answer'), checkTimeoutMs);
  });
  const outcome = check().then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return Promise.race([outcome, timeUp]).finally(() => clearTimeout(timer));
}
