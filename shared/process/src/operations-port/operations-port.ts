import { startOperationsServer, type Readiness } from '@holdfast/http/server';
import type { Log } from '@holdfast/kernel/context';
import { mergedMetrics, type Metrics } from '@holdfast/observability';
import type { Lifecycle } from '../lifecycle/index.js';

/** The port of a process for metrics and health checks. It is open from the first moment of a start to the last one of a stop. */
export type OperationsPort = {
  readonly url: string;
  /** Called once the process has started, with the checks of its parts. Until then it is alive, but not ready. */
  readonly markStarted: (readiness: Readiness) => void;
};

type Options = {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  readonly metrics: readonly Metrics[];
  readonly lifecycle: Lifecycle;
  readonly log: Log;
};

/** Serves /metrics, /livez and /readyz. Open it before any other part, so that it stops last. */
export async function openOperationsPort({ host, port, metrics, lifecycle, log }: Options): Promise<OperationsPort> {
  let readiness: Readiness | undefined;
  const server = await startOperationsServer({
    host,
    port,
    log,
    metrics: async () => {
      await Promise.all(metrics.map(({ measure }) => measure()));
      return mergedMetrics(metrics.map(({ registry }) => registry));
    },
    readiness: () => ({
      ...readiness,
      start: () => requireTrue(readiness !== undefined),
      stop: () => requireTrue(!lifecycle.stopAnnounced.aborted),
    }),
  });
  lifecycle.onStop('operations port', server.stop);
  return {
    url: server.url,
    markStarted: (checks) => {
      readiness = checks;
    },
  };
}

/** For a readiness check of something that is known without asking. */
export function requireTrue(isTrue: boolean): Promise<void> {
  return isTrue ? Promise.resolve() : Promise.reject(new Error('not ready'));
}
