import { dashboard } from './dashboard.js';
import { curves, stat, table } from './panel.js';

const chosen = '{service=~"$service"}';

export const messaging = dashboard({
  uid: 'holdfast-messaging',
  title: 'Holdfast: messaging',
  description: 'Outbox, queues, retries and parked messages',
  variables: [{ name: 'service', label: 'Service', of: 'holdfast_broker_connected' }],
  panels: [
    stat('Processes without a broker', 'count(holdfast_broker_connected == 0) or vector(0)', { redFrom: 1 }),
    stat('Parked messages', 'sum(max by (service) (holdfast_parked_messages))', { redFrom: 1 }),
    stat('Largest outbox lag', 'max(holdfast_outbox_lag_seconds)', { unit: 's', redFrom: 60 }),
    stat('Messages in queues', 'sum(max by (service, queue) (holdfast_queue_messages))'),
    table('Parked by service', 'max by (service) (holdfast_parked_messages) > 0', { width: 8, height: 4 }),
    curves('Published', [
      {
        expr: `sum by (service, outcome) (rate(holdfast_messages_published_total${chosen}[5m]))`,
        legend: '{{service}} {{outcome}}',
      },
    ]),
    curves('Handled', [{ expr: `holdfast:messages_handled:rate5m${chosen}`, legend: '{{service}} {{outcome}}' }]),
    curves('Outbox lag', [{ expr: `max by (service) (holdfast_outbox_lag_seconds${chosen})`, legend: '{{service}}' }], {
      unit: 's',
    }),
    curves('Outbox backlog', [
      { expr: `max by (service) (holdfast_outbox_backlog_rows${chosen})`, legend: '{{service}} rows' },
      { expr: `sum by (service) (holdfast_outbox_in_memory_messages${chosen})`, legend: '{{service}} in memory' },
    ]),
    curves(
      'Oldest unacknowledged message',
      [{ expr: `max by (service) (holdfast_outbox_unacknowledged_age_seconds${chosen})`, legend: '{{service}}' }],
      { unit: 's' },
    ),
    curves('Unacknowledged messages', [
      { expr: `max by (service) (holdfast_outbox_unacknowledged_messages${chosen})`, legend: '{{service}}' },
    ]),
    curves('Queues', [{ expr: `max by (service, queue) (holdfast_queue_messages${chosen})`, legend: '{{service}} {{queue}}' }]),
    table(
      'Retried and parked types, 1 h',
      `topk(20, sum by (service, type, outcome) (increase(holdfast_messages_handled_total{service=~"$service",outcome!="handled"}[1h])) > 0)`,
    ),
  ],
});
