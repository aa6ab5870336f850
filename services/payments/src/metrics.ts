import { caseKinds } from '@holdfast/contracts/messages';
import { providerMetrics } from '@holdfast/http/provider-calls';
import { emergencyStopped, spendingMetrics } from '@holdfast/intents/provider-controls';
import { intentMetrics } from '@holdfast/intents';
import { toEpochMs } from '@holdfast/kernel/context';
import { currencies } from '@holdfast/kernel/money';
import { defineCounter, defineGauge, type MetricDeclaration } from '@holdfast/observability';
import { sagaMetrics, type ServiceRuntime } from '@holdfast/service-kit';
import { webhookMetrics } from '@holdfast/webhook-inbox';
import { backingAssets } from './domain/solvency.js';
import { intentKinds } from './use-cases/intent-kinds.js';
import type { Deps } from './use-cases/ports.js';

const currency = currencies;
export const paymentProvider = 'payment-provider';
export const payoutCap = 'payouts USD';
export const paymentOperations = ['create-payin', 'cancel-payin', 'create-payout', 'commit', 'cancel-payout', 'read'] as const;

const reconciliationDifference = defineGauge(
  'holdfast_reconciliation_difference_tokens',
  'Payment provider plus ledger network minus journal, in the last report',
  { currency },
);
const reportTimestamp = defineGauge(
  'holdfast_reconciliation_report_timestamp_seconds',
  'When the last report was made that this process knows of',
  { currency },
);
const solvencyTerms = ['liabilities', 'assets', 'solvency', 'own_money', 'unexplained'] as const;
const solvency = defineGauge(
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

/** Shows what the last reports say. */
export function reportMeasurement({ metrics }: Pick<ServiceRuntime, 'metrics'>): Deps['reports']['measure'] {
  const difference = metrics.gauge(reconciliationDifference);
  const reportedAt = metrics.gauge(reportTimestamp);
  const solvencyTokens = metrics.gauge(solvency);
  return (reports, at) => {
    for (const report of reports) {
      const { currency, difference: found } = report;
      if (found !== null) {
        difference.set({ currency }, Number(found));
        reportedAt.set({ currency }, toEpochMs(at) / 1_000);
      }
      const terms = { ...report, own_money: report.ownMoney };
      // USD has the figures of USDC.
      if (currency === 'USD') continue;
      for (const term of solvencyTerms) if (terms[term] !== null) solvencyTokens.set({ currency, term }, Number(terms[term]));
    }
  };
}
