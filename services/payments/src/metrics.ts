import { caseKinds } from '@holdfast/contracts/messages';
import { providerMetrics } from '@holdfast/http/provider-calls';
import { emergencyStopped, spendingMetrics } from '@holdfast/intents/provider-controls';
import { intentMetrics } from '@holdfast/intents';
import { currencies } from '@holdfast/kernel/money';
import { defineCounter, defineGauge, type MetricDeclaration } from '@holdfast/observability';
import { sagaMetrics } from '@holdfast/service-kit';
import { webhookMetrics } from '@holdfast/webhook-inbox';
import { backingAssets } from './domain/solvency.js';
import { intentKinds } from './intent-kinds.js';

const currency = currencies;
export const paymentProvider = 'payment-provider';
export const payoutCap = 'payouts USD';
export const paymentOperations = ['create-payin', 'cancel-payin', 'create-payout', 'commit', 'cancel-payout', 'read'] as const;

export const reconciliationDifference = defineGauge(
  'holdfast_reconciliation_difference_tokens',
  'Payment provider plus ledger network minus journal, in the last report',
  { currency },
);
export const reportTimestamp = defineGauge(
  'holdfast_reconciliation_report_timestamp_seconds',
  'When the last report was made that this process knows of',
  { currency },
);
export const solvencyTerms = ['liabilities', 'assets', 'solvency', 'own_money', 'unexplained'] as const;
export const solvency = defineGauge(
  'holdfast_solvency_tokens',
  'What the platform owes and has in the last report; USDC backs the books in USD and USDC',
  { currency: backingAssets, term: solvencyTerms },
);
export const casesOpen = defineGauge('holdfast_reconciliation_cases_open', 'Unresolved reconciliation cases', { currency });
export const casesOpened = defineCounter('holdfast_reconciliation_cases_opened_total', 'Reconciliation cases opened', {
  kind: caseKinds,
  currency,
});

export const metrics: readonly MetricDeclaration[] = [
  ...webhookMetrics,
  reconciliationDifference,
  reportTimestamp,
  solvency,
  casesOpen,
  casesOpened,
  emergencyStopped,
  ...spendingMetrics([payoutCap]),
  ...intentMetrics(intentKinds),
  ...providerMetrics({ [paymentProvider]: paymentOperations }),
  ...sagaMetrics('payments'),
];
