import { measureProvider } from '@holdfast/http/provider-calls';
import { createProviderBudget } from '@holdfast/intents';
import type { ServiceRuntime } from '@holdfast/service-host';
import * as declared from '../metrics.js';
import { isSandbox } from '../providers/provider-states.js';
import type { HistoryBeginning, WatcherDeps } from './custody/watcher.js';
import { horizonHistory, type HistoryCall } from './network/horizon-history.js';
import type { LedgerHistory } from './network/ledger-history.js';
import { isSharedNetwork } from './network/shared-network.js';

type HistoryConfig = {
  readonly LEDGER_HORIZON_URL: string;
  readonly LEDGER_WATCH_EVERY_MS: number | undefined;
  readonly LEDGER_HISTORY_CALLS_PER_MINUTE: number | undefined;
  readonly USDC_ISSUER: string;
};

type HistoryRuntime = Pick<ServiceRuntime<HistoryConfig>, 'config' | 'database' | 'lifecycle' | 'metrics'>;

/** Public nodes allow 60 calls a minute. */
const publicCallsMax = 50;

/** The history has a budget of calls of its own, so that reading it leaves calls for the accounts. */
export function historyOf({ config, database, lifecycle, metrics }: HistoryRuntime): LedgerHistory {
  const { LEDGER_HORIZON_URL: url, LEDGER_HISTORY_CALLS_PER_MINUTE: set, USDC_ISSUER: usdcIssuer } = config;
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
  const history = horizonHistory({ url, usdcIssuer, takeCall, measurement });
  lifecycle.onStop('ledger history client', history.close);
  return history;
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

export function watcherMetrics({ metrics, clock }: Pick<ServiceRuntime, 'metrics' | 'clock'>): WatcherDeps['metrics'] {
  const quarantined = metrics.counter(declared.historyQuarantined);
  const skipped = metrics.counter(declared.historySkipped);
  const readAt = metrics.gauge(declared.historyRead);
  return {
    onQuarantined: (records) => quarantined.inc(records),
    onSkipped: (records) => skipped.inc(records),
    onEnd: () => readAt.set(clock.epochMs() / 1_000),
  };
}
