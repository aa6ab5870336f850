import { dashboard } from './dashboard.js';
import { curves, stat } from './panel.js';
import { quantiles } from './quantiles.js';

export const providers = dashboard({
  uid: 'holdfast-providers',
  title: 'Holdfast: providers and budget',
  description: 'Calls of outside systems, their budget, signatures and the treasury',
  variables: [{ name: 'provider', label: 'Provider', of: 'holdfast_provider_breaker_open' }],
  panels: [
    stat('Open breakers', 'sum(max by (provider) (holdfast_provider_breaker_open))', { redFrom: 1 }),
    stat('Calls left in the budget', 'min by (provider) (holdfast_provider_budget_calls)', { legend: '{{provider}}' }),
    stat('Refused signatures, 24 h', 'sum(increase(holdfast_signing_refused_total[24h]))', { redFrom: 1 }),
    stat('Settlement mismatches, 24 h', 'sum(increase(holdfast_settlement_mismatches_total[24h]))', { redFrom: 1 }),
    stat('Treasury low', 'max by (asset) (holdfast_treasury_low)', { legend: '{{asset}}', unit: 'bool', redFrom: 1 }),
    stat('Age of the history', 'time() - max(holdfast_history_read_timestamp_seconds)', { unit: 's', redFrom: 120 }),
    curves(
      'Calls by outcome',
      [
        {
          expr: 'sum by (provider, outcome) (rate(holdfast_provider_call_duration_seconds_count{provider=~"$provider"}[5m]))',
          legend: '{{provider}} {{outcome}}',
        },
      ],
      { unit: 'reqps' },
    ),
    curves(
      'Duration by operation',
      quantiles('holdfast_provider_call_duration_seconds_bucket{provider=~"$provider"}', ['provider', 'operation']),
      {
        unit: 's',
      },
    ),
    curves(
      'Share of failed calls',
      [{ expr: 'holdfast:provider_errors:ratio5m{provider=~"$provider"}', legend: '{{provider}}' }],
      { unit: 'percentunit' },
    ),
    curves('Budget', [
      { expr: 'min by (provider) (holdfast_provider_budget_calls{provider=~"$provider"})', legend: '{{provider}} left' },
      { expr: 'max by (provider) (holdfast_provider_budget_calls_max{provider=~"$provider"})', legend: '{{provider}} most' },
    ]),
    curves('Treasury', [{ expr: 'max by (asset) (holdfast_treasury_balance_tokens)', legend: '{{asset}}' }]),
    curves('Channels of the treasury', [
      { expr: 'max by (channel, asset) (holdfast_treasury_channel_balance_tokens)', legend: '{{channel}} {{asset}}' },
    ]),
    curves('Spending within the last hour', [
      { expr: 'max by (service, cap) (holdfast_spending_per_hour_tokens)', legend: '{{service}} {{cap}}' },
    ]),
    curves(
      'Spending caps reached',
      [{ expr: 'max by (service, cap) (holdfast_spending_cap_reached)', legend: '{{service}} {{cap}}' }],
      { unit: 'bool' },
    ),
    curves('Fee bumps', [
      { expr: 'sum by (code) (increase(holdfast_fee_bumps_refused_total[1h]))', legend: 'refused {{code}}' },
      { expr: 'max(holdfast_fee_bumps_stuck)', legend: 'stuck' },
    ]),
    curves('Records of the ledger network', [
      { expr: 'sum(increase(holdfast_history_quarantined_total[1h]))', legend: 'quarantined' },
      { expr: 'sum(increase(holdfast_history_skipped_total[1h]))', legend: 'skipped' },
    ]),
    curves('Life of contracts', [
      { expr: 'sum(increase(holdfast_contracts_extended_total[1h]))', legend: 'extended' },
      { expr: 'sum(increase(holdfast_contracts_restored_total[1h]))', legend: 'restored' },
    ]),
    curves('Events of the providers', [
      { expr: 'sum by (service, outcome) (rate(holdfast_webhook_events_total[5m]))', legend: '{{service}} {{outcome}}' },
    ]),
  ],
});
