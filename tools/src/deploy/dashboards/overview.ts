import { dashboard } from './dashboard.js';
import { curves, stat, table } from './panel.js';
import { quantiles } from './quantiles.js';

const ofRoutes = '{service=~"$service",route=~"$route"}';
const durations = `holdfast_http_request_duration_seconds_bucket${ofRoutes}`;

export const overview = dashboard({
  uid: 'holdfast-overview',
  title: 'Holdfast: overview',
  description: 'Rate, errors and duration of requests, and what needs a person',
  variables: [
    { name: 'service', label: 'Service', of: 'holdfast_build_info' },
    { name: 'route', label: 'Route', of: 'holdfast_http_request_duration_seconds_count{service=~"$service"}' },
  ],
  panels: [
    stat('Alerts that fire', 'count(ALERTS{alertname=~"Holdfast.+",alertstate="firing"}) or vector(0)', { redFrom: 1 }),
    stat('Saga runs that need a person', 'sum(max by (service) (holdfast_sagas_stopped))', { redFrom: 1 }),
    stat('Parked messages', 'sum(max by (service) (holdfast_parked_messages))', { redFrom: 1 }),
    stat('Ledger discrepancies', 'max(holdfast_ledger_discrepancies)', { redFrom: 1 }),
    stat('Emergency stop', 'max(holdfast_emergency_stopped)', { redFrom: 1, unit: 'bool' }),
    stat('Processes', 'count(group by (service, instance) (holdfast_build_info))'),
    curves(
      'Requests by service',
      [{ expr: `sum by (service) (holdfast:http_requests:rate5m${ofRoutes})`, legend: '{{service}}' }],
      {
        unit: 'reqps',
      },
    ),
    curves('Requests by status', [{ expr: `sum by (status) (holdfast:http_requests:rate5m${ofRoutes})`, legend: '{{status}}' }], {
      unit: 'reqps',
    }),
    curves('Share of server errors', [{ expr: 'holdfast:http_errors:ratio5m{service=~"$service"}', legend: '{{service}}' }], {
      unit: 'percentunit',
    }),
    curves('Objectives: share of bad events in an hour', [{ expr: 'holdfast:slo_errors:ratio1h', legend: '{{slo}}' }], {
      unit: 'percentunit',
      description: 'Allowed over 30 days: 0.5% of order-success, 1% of the others',
    }),
    curves('Duration by service', quantiles(durations, ['service']), { unit: 's' }),
    table('Slowest routes', `topk(15, histogram_quantile(0.99, sum by (service, route, le) (rate(${durations}[5m]))))`, {
      unit: 's',
    }),
    table(
      'Routes with server errors',
      `topk(15, sum by (service, route, status) (holdfast:http_requests:rate5m{service=~"$service",status=~"5.."}))`,
      {
        unit: 'reqps',
      },
    ),
    curves('Open requests', [{ expr: 'sum by (service) (holdfast_http_requests_open)', legend: '{{service}}' }]),
    curves('Gateway: time of the services', quantiles('holdfast_gateway_upstream_duration_seconds_bucket', ['upstream']), {
      unit: 's',
    }),
    curves('Gateway: failed calls of services', [
      {
        expr: 'sum by (upstream, reason) (rate(holdfast_gateway_upstream_failures_total[5m]))',
        legend: '{{upstream}} {{reason}}',
      },
    ]),
    curves('Gateway: refused requests', [
      { expr: 'sum by (limit) (rate(holdfast_gateway_rate_limited_total[5m]))', legend: 'rate limit per {{limit}}' },
      { expr: 'sum by (reason) (rate(holdfast_gateway_credentials_refused_total[5m]))', legend: 'credential {{reason}}' },
    ]),
    curves('Gateway: idempotency keys', [
      { expr: 'sum by (outcome) (rate(holdfast_gateway_idempotency_total[5m]))', legend: '{{outcome}}' },
    ]),
    curves('Attempts to register and to log in', [
      { expr: 'sum by (action, outcome) (rate(holdfast_login_attempts_total[5m]))', legend: '{{action}} {{outcome}}' },
    ]),
  ],
});
