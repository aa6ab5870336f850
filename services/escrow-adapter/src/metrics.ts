import { verdicts } from './wallets/custody/verdict.js';
import { outflowPlaces } from '@holdfast/contracts/messages';
import { escrowOperations } from '@holdfast/contracts/sagas';
import { providerMetrics } from '@holdfast/http/provider-calls';
import { emergencyStopped, spendingMetrics } from '@holdfast/intents/provider-controls';
import { intentMetrics } from '@holdfast/intents';
import { custodyAssets } from '@holdfast/kernel/money';
import { defineCounter, defineGauge, type MetricDeclaration } from '@holdfast/observability';
import { intentKinds } from './use-cases/ports.js';

const asset = custodyAssets;
const ofSteps = [...escrowOperations, 'payout'];
export const spendingCaps = { USDC: 'treasury USDC', XLM: 'treasury XLM' } as const;

export const signingRefused = defineCounter(
  'holdfast_signing_refused_total',
  'Transactions that were not signed, because they are not the requested ones',
  { operation: ofSteps },
);
export const settlementMismatches = defineCounter(
  'holdfast_settlement_mismatches_total',
  'Transactions that have moved something else on the network than they must',
  { step: ofSteps },
);
export const providerEventsIgnored = defineCounter(
  'holdfast_provider_events_ignored_total',
  'Signed provider events of an unknown type or format, stored and ignored',
);
export const indexerFailures = defineCounter(
  'holdfast_escrow_provider_indexer_failures_total',
  'Landed transactions that the list of the escrow provider may not show, because it could not be informed',
);
export const contractsExtended = defineCounter(
  'holdfast_contracts_extended_total',
  'Contracts whose entries on the ledger got a longer life',
);
export const contractsRestored = defineCounter(
  'holdfast_contracts_restored_total',
  'Contracts whose archived entries on the ledger were restored',
);
export const feeBumpsRefused = defineCounter(
  'holdfast_fee_bumps_refused_total',
  'Submissions that the ledger network has refused',
  {
    code: 'the result codes of the network',
  },
);
export const feeBumpsStuck = defineGauge(
  'holdfast_fee_bumps_stuck',
  'Open transactions that no ledger contains at the highest bid, or whose fee the treasury cannot pay',
);
export const treasuryBalance = defineGauge('holdfast_treasury_balance_tokens', 'Balance of the treasury and its channels', {
  asset,
});
export const treasuryLow = defineGauge(
  'holdfast_treasury_low',
  'Whether the treasury holds less of an asset than its threshold, or than a payment or activation needs',
  { asset },
);
export const channelBalance = defineGauge('holdfast_treasury_channel_balance_tokens', 'Balance of each channel of the treasury', {
  channel: 'one to TREASURY_CHANNELS',
  asset,
});
export const historyQuarantined = defineCounter(
  'holdfast_history_quarantined_total',
  "Records of the ledger network's history that name an account of ours and could not be understood",
);
export const historySkipped = defineCounter(
  'holdfast_history_skipped_total',
  "Records of the ledger network's history that could not be understood and name no account of ours",
);
export const historyRead = defineGauge(
  'holdfast_history_read_timestamp_seconds',
  "When this process last read the ledger network's history up to its end; 0 in a process that does not read it",
);
export const claimsJudged = defineCounter(
  'holdfast_history_claims_total',
  "Transactions of others in the ledger network's history that were compared with the network's RPC",
  { verdict: verdicts },
);

export const unknownOutflows = defineCounter(
  'holdfast_unknown_outflows_total',
  'Transfers out of accounts of the platform in transactions that it has not made',
  { place: outflowPlaces },
);

export const metrics: readonly MetricDeclaration[] = [
  signingRefused,
  settlementMismatches,
  providerEventsIgnored,
  indexerFailures,
  contractsExtended,
  contractsRestored,
  feeBumpsRefused,
  feeBumpsStuck,
  treasuryBalance,
  treasuryLow,
  channelBalance,
  historyQuarantined,
  historySkipped,
  historyRead,
  claimsJudged,
  unknownOutflows,
  emergencyStopped,
  ...spendingMetrics(Object.values(spendingCaps)),
  ...intentMetrics(Object.keys(intentKinds)),
  ...providerMetrics({
    'escrow-provider': [...escrowOperations, 'inform'],
    'ledger-rpc': ['submit', 'read'],
    horizon: ['read'],
    'horizon-history': ['read'],
  }),
];
