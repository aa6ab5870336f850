import { outflowPlaces } from '@holdfast/contracts/messages';
import { escrowOperations } from '@holdfast/contracts/sagas';
import { providerMetrics } from '@holdfast/http/provider-calls';
import { emergencyStopped, spendingMetrics } from '@holdfast/intents/provider-controls';
import { intentMetrics } from '@holdfast/intents';
import { custodyAssets } from '@holdfast/kernel/money';
import type { FeeBumpsDeps } from '@holdfast/ledger-network/fee-bumps';
import { decodedFrom, type OnDecoded } from '@holdfast/ledger-network/envelopes';
import { rpcOperations } from '@holdfast/ledger-network/rpc';
import type { Spent } from '@holdfast/ledger-network/values';
import { defineCounter, defineGauge, type MetricDeclaration } from '@holdfast/observability';
import type { ServiceRuntime } from '@holdfast/service-kit';
import { webhookMetrics } from '@holdfast/webhook-inbox';
import type { ProverDeps } from './use-cases/custody/prover.js';
import { verdicts } from './use-cases/custody/verdict.js';
import type { WatcherDeps } from './use-cases/custody/watcher.js';
import { intentKinds, type Deps } from './use-cases/ports.js';
import type { TreasuryDeps } from './use-cases/treasury/maintain-treasury.js';

const asset = custodyAssets;
const ofSteps = [...escrowOperations, 'payout'];
export const spendingCaps = { USDC: 'treasury USDC', XLM: 'treasury XLM' } as const;

const signingRefused = defineCounter(
  'holdfast_signing_refused_total',
  'Transactions that were not signed, because they are not the requested ones',
  { operation: ofSteps },
);
export const settlementMismatches = defineCounter(
  'holdfast_settlement_mismatches_total',
  'Transactions that have moved something else on the network than they must',
  { step: ofSteps },
);
export const indexerFailures = defineCounter(
  'holdfast_escrow_provider_indexer_failures_total',
  'Landed deployments that the escrow provider may not know, because it could not be informed',
);
const envelopesDecoded = defineCounter(
  'holdfast_envelopes_decoded_total',
  'Decoded envelopes of transactions: built to be signed, stored by an earlier run, or returned by the network',
  { from: decodedFrom },
);
const contractsExtended = defineCounter(
  'holdfast_contracts_extended_total',
  'Contracts whose entries on the ledger got a longer life',
);
const contractsRestored = defineCounter(
  'holdfast_contracts_restored_total',
  'Contracts whose archived entries on the ledger were restored',
);
const feeBumpsRefused = defineCounter('holdfast_fee_bumps_refused_total', 'Submissions that the ledger network has refused', {
  code: 'the result codes of the network',
});
const feeBumpsStuck = defineGauge(
  'holdfast_fee_bumps_stuck',
  'Open transactions that no ledger contains at the highest bid, or whose fee the treasury cannot pay',
);
const treasuryBalance = defineGauge('holdfast_treasury_balance_tokens', 'Balance of the treasury and its channels', {
  asset,
});
const treasuryLow = defineGauge(
  'holdfast_treasury_low',
  'Whether the treasury holds less of an asset than its threshold, or than a payment or activation needs',
  { asset },
);
const channelBalance = defineGauge('holdfast_treasury_channel_balance_tokens', 'Balance of each channel of the treasury', {
  channel: 'one to TREASURY_CHANNELS',
  asset,
});
const historyQuarantined = defineCounter(
  'holdfast_history_quarantined_total',
  "Records of the ledger network's history that name one of our accounts and could not be understood",
);
const historySkipped = defineCounter(
  'holdfast_history_skipped_total',
  "Records of the ledger network's history that could not be understood and name none of our accounts",
);
const historyRead = defineGauge(
  'holdfast_history_read_timestamp_seconds',
  "When this process last read the ledger network's history up to its end; 0 in a process that does not read it",
);
const claimsJudged = defineCounter(
  'holdfast_history_claims_total',
  "Transactions of others in the ledger network's history that were compared with the network's RPC",
  { verdict: verdicts },
);

const unknownOutflows = defineCounter(
  'holdfast_unknown_outflows_total',
  'Transfers out of accounts of the platform in transactions that it has not made',
  { place: outflowPlaces },
);

export const metrics: readonly MetricDeclaration[] = [
  signingRefused,
  settlementMismatches,
  ...webhookMetrics,
  indexerFailures,
  envelopesDecoded,
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
    'ledger-rpc': rpcOperations,
    horizon: ['read'],
    'horizon-history': ['read'],
  }),
];

type Measured = Pick<ServiceRuntime, 'metrics'>;

export function contractMetrics({ metrics: of }: Measured): Pick<Deps, 'onSigningRefused' | 'onLifetimesChanged'> {
  const refusedSignings = of.counter(signingRefused);
  const lifetimes = { extend: of.counter(contractsExtended), restore: of.counter(contractsRestored) };
  return {
    onSigningRefused: (operation) => refusedSignings.inc({ operation }),
    onLifetimesChanged: (does, contracts) => lifetimes[does].inc(contracts),
  };
}

export function onDecoded({ metrics: of }: Measured): OnDecoded {
  const decoded = of.counter(envelopesDecoded);
  return (from) => decoded.inc({ from });
}

export function feeBumpMetrics({ metrics: of }: Measured): Pick<FeeBumpsDeps, 'onRefused' | 'onMeasured'> {
  const refused = of.counter(feeBumpsRefused);
  const stuck = of.gauge(feeBumpsStuck);
  return { onRefused: (code) => refused.inc({ code }), onMeasured: (count) => stuck.set(count) };
}

const unitsPerWhole = 10_000_000;

export function treasuryMetrics({ metrics: of, log }: Pick<ServiceRuntime, 'metrics' | 'log'>, lowTokens: number) {
  const lowUnits = BigInt(lowTokens) * BigInt(unitsPerWhole);
  const holdings = of.gauge(treasuryBalance);
  const ofChannel = of.gauge(channelBalance);
  const isLow = of.gauge(treasuryLow);
  const onHoldings: TreasuryDeps['onHoldings'] = ({ XLM, USDC }, channels) => {
    channels.forEach((balances, index) => {
      for (const each of asset)
        ofChannel.set({ channel: String(index + 1), asset: each }, Number(balances?.[each] ?? 0n) / unitsPerWhole);
    });
    holdings.set({ asset: 'XLM' }, Number(XLM) / unitsPerWhole);
    holdings.set({ asset: 'USDC' }, Number(USDC) / unitsPerWhole);
    // XLM has no threshold: the next payment or activation that needs more than there is sets it again.
    isLow.set({ asset: 'XLM' }, 0);
    isLow.set({ asset: 'USDC' }, USDC < lowUnits ? 1 : 0);
  };
  const onShort = ({ asset: short, units }: Spent): void => {
    isLow.set({ asset: short }, 1);
    log.error({ asset: short, units: units.toString() }, 'the treasury does not hold enough; it must be funded');
  };
  return { lowUnits, onHoldings, onShort };
}

export function proverMetrics({ metrics: of }: Measured): ProverDeps['metrics'] {
  const claims = of.counter(claimsJudged);
  const outflows = of.counter(unknownOutflows);
  return { onVerdict: (verdict) => claims.inc({ verdict }), onOutflow: (place) => outflows.inc({ place }) };
}

export function watcherMetrics({ metrics: of, clock }: Pick<ServiceRuntime, 'metrics' | 'clock'>): WatcherDeps['metrics'] {
  const quarantined = of.counter(historyQuarantined);
  const skipped = of.counter(historySkipped);
  const outflows = of.counter(unknownOutflows);
  const readAt = of.gauge(historyRead);
  return {
    onQuarantined: (records) => {
      quarantined.inc(records.length);
      for (const { madeBy } of records) if (madeBy !== undefined) outflows.inc({ place: madeBy.place });
    },
    onSkipped: (records) => skipped.inc(records),
    onEnd: () => readAt.set(clock.epochMs() / 1_000),
  };
}
