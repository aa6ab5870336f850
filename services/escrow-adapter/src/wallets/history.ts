import { measureProvider } from '@holdfast/http/provider-calls';
import { createProviderBudget } from '@holdfast/intents/provider-controls';
import type { Log } from '@holdfast/kernel/context';
import type { ServiceRuntime } from '@holdfast/service-kit';
import { WrongNetwork } from '../ledger-rpc/wrong-network.js';
import * as declared from '../metrics.js';
import { isSandbox } from '../providers/provider-states.js';
import type { ProverDeps } from './custody/prover.js';
import type { HistoryBeginning, WatcherDeps } from './custody/watcher.js';
import { horizonHistory, type HistoryCall, type HorizonHistory } from './network/horizon-history.js';
import { isSharedNetwork } from './network/shared-network.js';

type HistoryConfig = {
  readonly LEDGER_HORIZON_URL: string;
  readonly LEDGER_HORIZON_SECOND_URL: string | undefined;
  readonly LEDGER_NETWORK_PASSPHRASE: string;
  readonly LEDGER_WATCH_EVERY_MS: number | undefined;
  readonly LEDGER_HISTORY_CALLS_PER_MINUTE: number | undefined;
  readonly USDC_ISSUER: string;
};

type HistoryRuntime = Pick<ServiceRuntime<HistoryConfig>, 'config' | 'database' | 'lifecycle' | 'metrics'>;

/** Public nodes allow 60 calls a minute. */
const publicCallsMax = 50;

/** The history has a budget of calls of its own, so that reading it leaves calls for the accounts. */
export function historyOf({ config, database, lifecycle, metrics }: HistoryRuntime): HorizonHistory {
  const { LEDGER_HORIZON_URL: url, LEDGER_HISTORY_CALLS_PER_MINUTE: set } = config;
  const callsMax = set ?? (isSandbox(url) ? 0 : publicCallsMax);
  const budget = createProviderBudget({
    database,
    name: 'ledger-history',
    windowMs: 60_000,
    ...(callsMax === 0 ? {} : { callsMax }),
  });
  const measurement = measureProvider(metrics, 'horizon-history', callsMax === 0 ? undefined : callsMax);
  const takeCall = (call: HistoryCall): Promise<void> =>
    budget
      .take({ ...call, waitMsMax: callWaitMsMax, signal: lifecycle.signal })
      .finally(() => measurement.onBudget(budget.left()));
  const history = horizonHistory({ ...networkOf(config), url, takeCall, measurement });
  lifecycle.onStop('ledger history client', history.close);
  return history;
}

/** The history of another operator, if there is one. It is asked so rarely that it needs no budget. */
export function secondHistoryOf({ config, lifecycle }: Pick<HistoryRuntime, 'config' | 'lifecycle'>): HorizonHistory | undefined {
  const { LEDGER_HORIZON_SECOND_URL: url } = config;
  if (url === undefined) return undefined;
  const history = horizonHistory({ ...networkOf(config), url });
  lifecycle.onStop('second ledger history client', history.close);
  return history;
}

function networkOf({ LEDGER_NETWORK_PASSPHRASE: networkPassphrase, USDC_ISSUER: usdcIssuer }: HistoryConfig) {
  return { networkPassphrase, usdcIssuer };
}

/** Throws if a node belongs to another network. One that is unreachable is checked again before it is read. */
export async function checkHistories(histories: readonly (HorizonHistory | undefined)[], log: Log): Promise<void> {
  for (const history of histories) {
    await history?.checkNetwork().catch((error: unknown) => {
      if (error instanceof WrongNetwork) throw error;
      log.warn({ error }, 'network of Horizon not checked yet');
    });
  }
}

/** A request may wait for a call; after that it fails and says when to come back. */
const callWaitMsMax = 5_000;

const watchEveryMsDefault = { http: 1_000, https: 5_000 };

export function watchEveryMs({ LEDGER_HORIZON_URL: url, LEDGER_WATCH_EVERY_MS: set }: HistoryConfig): number {
  return set ?? watchEveryMsDefault[isSandbox(url) ? 'http' : 'https'];
}

/** The history of a shared network before the platform's first start is about strangers only. */
export function historyBeginning(passphrase: string): HistoryBeginning {
  return isSharedNetwork(passphrase) ? 'newest' : 'first';
}

export function proverMetrics({ metrics }: Pick<ServiceRuntime, 'metrics'>): ProverDeps['metrics'] {
  const claims = metrics.counter(declared.claimsJudged);
  const outflows = metrics.counter(declared.unknownOutflows);
  return { onVerdict: (verdict) => claims.inc({ verdict }), onOutflow: (place) => outflows.inc({ place }) };
}

export function watcherMetrics({ metrics, clock }: Pick<ServiceRuntime, 'metrics' | 'clock'>): WatcherDeps['metrics'] {
  const quarantined = metrics.counter(declared.historyQuarantined);
  const skipped = metrics.counter(declared.historySkipped);
  const outflows = metrics.counter(declared.unknownOutflows);
  const readAt = metrics.gauge(declared.historyRead);
  return {
    onQuarantined: (records) => {
      quarantined.inc(records.length);
      for (const { madeBy } of records) if (madeBy !== undefined) outflows.inc({ place: madeBy.place });
    },
    onSkipped: (records) => skipped.inc(records),
    onEnd: () => readAt.set(clock.epochMs() / 1_000),
  };
}
