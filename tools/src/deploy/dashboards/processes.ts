import { dashboard } from './dashboard.js';
import { curves, stat, table } from './panel.js';

const chosen = '{service=~"$service"}';
const byProcess = '{{service}} {{instance}}';

export const processes = dashboard({
  uid: 'holdfast-processes',
  title: 'Holdfast: processes and Postgres',
  description: 'Event loop, memory, connections to Postgres, jobs and versions',
  variables: [{ name: 'service', label: 'Service', of: 'holdfast_build_info' }],
  panels: [
    stat('Processes', 'count(group by (service, instance) (holdfast_build_info))', { width: 8 }),
    stat('Versions', 'count(count by (version) (holdfast_build_info))', { width: 8, redFrom: 2 }),
    stat('Requests waiting for Postgres', 'sum(holdfast_postgres_waiting_requests)', { width: 8, redFrom: 1 }),
    curves('Event loop lag, p99', [{ expr: `nodejs_eventloop_lag_p99_seconds${chosen}`, legend: byProcess }], { unit: 's' }),
    curves('Processor seconds a second', [{ expr: `rate(process_cpu_seconds_total${chosen}[5m])`, legend: byProcess }]),
    curves('Memory', [{ expr: `process_resident_memory_bytes${chosen}`, legend: byProcess }], { unit: 'bytes' }),
    curves('Heap in use', [{ expr: `nodejs_heap_size_used_bytes${chosen}`, legend: byProcess }], { unit: 'bytes' }),
    curves('Connections to Postgres', [
      {
        expr: `sum by (service, pool, state) (holdfast_postgres_connections${chosen})`,
        legend: '{{service}} {{pool}} {{state}}',
      },
      { expr: `sum by (service, pool) (holdfast_postgres_connections_max${chosen})`, legend: '{{service}} {{pool}} most' },
    ]),
    curves('Requests waiting for a connection', [
      { expr: `sum by (service, pool) (holdfast_postgres_waiting_requests${chosen})`, legend: '{{service}} {{pool}}' },
    ]),
    curves('Failed jobs', [
      {
        expr: `sum by (service, name) (increase(holdfast_job_runs_total{service=~"$service",outcome="failed"}[15m])) > 0`,
        legend: '{{service}} {{name}}',
      },
    ]),
    table(
      'Time since a job last succeeded',
      `sort_desc(time() - (max by (service, name) (holdfast_job_last_success_timestamp_seconds${chosen}) > 0))`,
      {
        unit: 's',
      },
    ),
    table('Versions', 'count by (service, version, node) (holdfast_build_info)', { width: 24, height: 6 }),
  ],
});
