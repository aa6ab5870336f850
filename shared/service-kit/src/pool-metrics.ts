import { defineGauge, type Metrics } from '@holdfast/observability';
import type { Database } from '@holdfast/postgres';

/** `hot` serves requests and messages, `lists` serves lists and jobs. */
const pool = ['hot', 'lists'];
const connections = defineGauge('holdfast_postgres_connections', 'Connections of a pool to Postgres by what they do', {
  pool,
  state: ['used', 'idle'],
});
const connectionsMax = defineGauge('holdfast_postgres_connections_max', 'Connections that a pool opens at most', { pool });
const waitingRequests = defineGauge('holdfast_postgres_waiting_requests', 'Requests that wait for a connection of a pool', {
  pool,
});

export const poolMetrics = [connections, connectionsMax, waitingRequests] as const;

/** Measures both connection pools whenever the metrics are read. */
export function measurePools({ pool: hot, lists }: Pick<Database, 'pool' | 'lists'>, metrics: Metrics): void {
  const open = metrics.gauge(connections);
  const max = metrics.gauge(connectionsMax);
  const waiting = metrics.gauge(waitingRequests);
  metrics.onRead(() => {
    for (const [name, { usage }] of Object.entries({ hot, lists })) {
      const counts = usage();
      open.set({ pool: name, state: 'used' }, counts.used);
      open.set({ pool: name, state: 'idle' }, counts.idle);
      max.set({ pool: name }, counts.max);
      waiting.set({ pool: name }, counts.waiting);
    }
  });
}
