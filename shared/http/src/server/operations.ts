import type { Router } from 'express';
import { withTimeout } from '@holdfast/kernel/async';
import type { Metrics } from '@holdfast/observability';
import type { PreparedResponse } from './envelopes.js';
import { createRouter } from './express-app.js';
import { send } from './send.js';

/** Checks that must all succeed before the process counts as ready, by the name of the checked part. */
export type Readiness = Readonly<Record<string, () => Promise<void>>>;

/** Liveness, readiness and metrics of a process, without authentication. */
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
  const state = check().then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return withTimeout(state, checkTimeoutMs, () => new Error('the check timed out')).catch(() => 'does not answer' as const);
}
