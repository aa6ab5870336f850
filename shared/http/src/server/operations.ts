import { withTimeout } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import type { MetricsPage } from '@holdfast/observability';
import type { PreparedResponse } from './envelopes.js';
import { errorHandler } from './error-handler.js';
import { createExpressApp } from './express-app.js';
import { refuseUnknownPath } from './http-server.js';
import { startListener, type Listener, type ListenerOptions } from './listener.js';
import { requestId } from './request-id.js';
import { send } from './send.js';

/** Checks that must all succeed before the process counts as ready, by the name of the checked part. */
export type Readiness = Readonly<Record<string, () => Promise<void>>>;

export type OperationsServerOptions = ListenerOptions & {
  readonly log: Log;
  /** Called for each request, because parts add their checks while the process starts. */
  readonly readiness: () => Readiness;
  readonly metrics: () => Promise<MetricsPage>;
};

/** Serves liveness, readiness and metrics of a process without authentication, on a port that no caller of the API reaches. */
export function startOperationsServer(options: OperationsServerOptions): Promise<Listener> {
  const { readiness, metrics, log } = options;
  const app = createExpressApp();
  app.use(requestId());
  app.get('/livez', (_request, response) => send(response, { status: 200, text: '{"status":"alive"}' }));
  app.get('/readyz', async (_request, response) => send(response, await readinessResponse(readiness())));
  app.get('/metrics', async (_request, response) => send(response, { status: 200, ...(await metrics()) }));
  app.use(refuseUnknownPath);
  app.use(errorHandler(log));
  return startListener(app, options);
}

async function readinessResponse(readiness: Readiness): Promise<PreparedResponse> {
  const parts = await checkReadiness(readiness);
  const isReady = Object.values(parts).every((state) => state === 'up');
  return { status: isReady ? 200 : 503, text: JSON.stringify({ status: isReady ? 'ready' : 'not ready', parts }) };
}

type PartState = 'up' | 'down' | 'does not answer';

/** The state of each checked part. */
export async function checkReadiness(readiness: Readiness): Promise<Readonly<Record<string, PartState>>> {
  const parts = Object.entries(readiness).map(async ([name, check]) => [name, await checkPart(check)] as const);
  return Object.fromEntries(await Promise.all(parts));
}

const checkTimeoutMs = 2_000;

async function checkPart(check: () => Promise<void>): Promise<PartState> {
  const state = check().then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return withTimeout(state, checkTimeoutMs, () => new Error('the check timed out')).catch(() => 'does not answer' as const);
}
