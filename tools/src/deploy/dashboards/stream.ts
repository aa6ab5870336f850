import { dashboard } from './dashboard.js';
import { curves, stat } from './panel.js';

export const stream = dashboard({
  uid: 'holdfast-stream',
  title: 'Holdfast: event stream',
  description: 'Subscribers, lag and cut-offs',
  panels: [
    stat('Subscribers', 'sum(holdfast_event_stream_connections)', { width: 6 }),
    stat('Streams at the gateway', 'sum(holdfast_gateway_open_streams)', { width: 6 }),
    stat('Lag', 'max(holdfast_event_stream_lag_seconds)', { width: 6, unit: 's', redFrom: 10 }),
    stat('Messages not yet appended', 'max(holdfast_event_log_waiting_messages)', { width: 6, redFrom: 1_000 }),
    curves('Subscribers by process', [{ expr: 'sum by (instance) (holdfast_event_stream_connections)', legend: '{{instance}}' }]),
    curves('Lag', [{ expr: 'max by (instance) (holdfast_event_stream_lag_seconds)', legend: '{{instance}}' }], { unit: 's' }),
    curves('Events a second', [
      { expr: 'sum(rate(holdfast_event_log_appended_total[5m]))', legend: 'appended' },
      { expr: 'sum(rate(holdfast_event_stream_delivered_total[5m]))', legend: 'delivered' },
    ]),
    curves('Streams closed by the server', [
      { expr: 'sum by (reason) (increase(holdfast_event_stream_disconnected_total[5m]))', legend: '{{reason}}' },
    ]),
  ],
});
