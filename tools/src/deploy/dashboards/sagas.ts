import { dashboard } from './dashboard.js';
import { curves, stat, table, text } from './panel.js';
import { quantiles } from './quantiles.js';

const chosen = '{saga=~"$saga"}';

const oneRun = `Metrics count runs; they do not name them. To get from a curve to one run:

1. \`npm run sagas -- list\` lists the open runs: id, saga, what it is about, status, age, how often its command was resent, and whether it needs a person.
2. Search the logs for \`orderId\` or \`sagaRunId\`; their lines have the \`requestId\` of the request that began the run. With traces on, they have the id of
   its trace as well, which shows each step from the gateway to the provider's call.
3. \`npm run sagas -- redrive <run>\` resends the command that the run waits for. The runbook is docs/operations/runbooks/stalled-saga.md;
   it also has both commands for containers and clusters.`;

export const sagas = dashboard({
  uid: 'holdfast-sagas',
  title: 'Holdfast: sagas',
  description: 'Outcomes, durations by step, stalled runs and intents',
  variables: [{ name: 'saga', label: 'Saga', of: 'holdfast_saga_runs_open' }],
  panels: [
    stat('Open', `sum(max by (service, saga) (holdfast_saga_runs_open${chosen}))`),
    stat('Stalled', 'sum(max by (service) (holdfast_sagas_stalled))', { redFrom: 1 }),
    stat('Stalled past no return', 'sum(max by (service) (holdfast_sagas_stalled_past_no_return))', { redFrom: 1 }),
    stat('Stopped', 'sum(max by (service) (holdfast_sagas_stopped))', { redFrom: 1 }),
    stat('Oldest', `max(holdfast_saga_oldest_run_age_seconds${chosen})`, { unit: 's', redFrom: 1_800 }),
    stat('Open disputes', 'max(holdfast_disputes_open)'),
    stat('Overdue disputes', 'max(holdfast_disputes_overdue)', { redFrom: 1 }),
    curves('Ended runs by outcome', [
      { expr: `sum by (saga, outcome) (holdfast:saga_runs_ended:rate5m${chosen})`, legend: '{{saga}} {{outcome}}' },
    ]),
    curves('Duration of runs', quantiles(`holdfast_saga_run_duration_seconds_bucket${chosen}`, ['saga']), { unit: 's' }),
    curves(
      'Slowest step, p95',
      [
        {
          expr: `histogram_quantile(0.95, sum by (saga, step, le) (rate(holdfast_saga_step_duration_seconds_bucket${chosen}[5m])))`,
          legend: '{{saga}} {{step}}',
        },
      ],
      { unit: 's' },
    ),
    curves(
      'Age of the oldest open run',
      [{ expr: `max by (saga) (holdfast_saga_oldest_run_age_seconds${chosen})`, legend: '{{saga}}' }],
      { unit: 's' },
    ),
    table('Open runs by saga', `max by (service, saga) (holdfast_saga_runs_open${chosen}) > 0`),
    curves('Orders by state', [{ expr: 'max by (state) (holdfast_orders)', legend: '{{state}}' }]),
    curves('Open intents', [
      { expr: 'max by (service, kind) (holdfast_intents_open)', legend: '{{service}} {{kind}}' },
      { expr: 'max by (service, kind) (holdfast_intents_past_no_return)', legend: '{{service}} {{kind}} past no return' },
    ]),
    curves(
      'Age of the oldest open intent',
      [{ expr: 'max by (service, kind) (holdfast_intents_oldest_age_seconds)', legend: '{{service}} {{kind}}' }],
      { unit: 's' },
    ),
    curves('Timer that is due for longest', [{ expr: 'max(holdfast_timers_due_lag_seconds)', legend: 'lag' }], { unit: 's' }),
    curves('Timers that wait', [
      { expr: 'max by (reason) (holdfast_timers_held)', legend: 'held: {{reason}}' },
      { expr: 'max(holdfast_timers_failing)', legend: 'failing' },
    ]),
    text('To one run', oneRun, { height: 7 }),
  ],
});
