import { measureProvider } from '@holdfast/http/provider-calls';
import { createProviderBudget } from '@holdfast/intents/provider-controls';
import type { Log } from '@holdfast/kernel/context';
import {
  horizonHistory,
  horizonNetwork,
  type HistoryCall,
  type HorizonHistory,
  type LedgerNetwork,
} from '@holdfast/ledger-network/horizon';
import { createLedgerRpc, WrongNetwork } from '@holdfast/ledger-network/rpc';
import type { ServiceRuntime } from '@holdfast/service-kit';
import type { Settings } from '../config.js';
import { onDecoded } from '../metrics.js';
import type { ContractRpc } from '../use-cases/entry-ports.js';
import type { DescribeCalls } from './connect-escrow-provider.js';
import { withContracts } from './escrow-contract/contract-entries.js';
import { isSandbox } from './provider-states.js';

type Runtime = ServiceRuntime<Settings>;

export function openRpc({ config, lifecycle, metrics }: Runtime): ContractRpc {
  const measurement = measureProvider(metrics, 'ledger-rpc');
  const url = config.LEDGER_RPC_URL;
  const rpc = createLedgerRpc({ ...networkOf(config), url, measurement, onDecoded: onDecoded({ metrics }) });
  lifecycle.onStop('ledger network client', rpc.close);
  return withContracts(rpc);
}

/** The network through its Horizon. The second history comes from another operator, if there is one. */
export type Horizon = {
  readonly network: LedgerNetwork;
  readonly history: HorizonHistory;
  readonly secondHistory: HorizonHistory | undefined;
  /** Of the history, the only one with a budget. */
  readonly describeCalls: DescribeCalls;
};

/** Throws if a node belongs to another network. One that is unreachable is checked again before it is read. */
export async function openHorizon(runtime: Runtime): Promise<Horizon> {
  const { config, metrics, log } = runtime;
  const [{ history, describeCalls }, secondHistory] = [historyOf(runtime), secondHistoryOf(runtime)];
  await checkHistories([history, secondHistory], log);
  const url = config.LEDGER_HORIZON_URL;
  const network = horizonNetwork({ ...networkOf(config), url, history, measurement: measureProvider(metrics, 'horizon') });
  return { network, history, secondHistory, describeCalls };
}

/** Public nodes allow 60 calls a minute. */
const publicCallsMax = 50;
/** A request may wait for a call; after that it fails and says when to come back. */
const callWaitMsMax = 5_000;

/** The history has a budget of calls of its own, so that reading it leaves calls for the accounts. */
function historyOf({ config, database, lifecycle, metrics }: Runtime): Pick<Horizon, 'history' | 'describeCalls'> {
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
  return { history, describeCalls: () => ({ name: 'ledger-network', breaker: null, budget: budget.describe() }) };
}

/** It gets so few calls that it needs no budget. */
function secondHistoryOf({ config, lifecycle }: Runtime): HorizonHistory | undefined {
  const { LEDGER_HORIZON_SECOND_URL: url } = config;
  if (url === undefined) return undefined;
  const history = horizonHistory({ ...networkOf(config), url });
  lifecycle.onStop('second ledger history client', history.close);
  return history;
}

function networkOf({ LEDGER_NETWORK_PASSPHRASE: networkPassphrase, USDC_ISSUER: usdcIssuer }: Settings) {
  return { networkPassphrase, usdcIssuer };
}

async function checkHistories(histories: readonly (HorizonHistory | undefined)[], log: Log): Promise<void> {
  for (const history of histories) {
    await history?.checkNetwork().catch((error: unknown) => {
      if (error instanceof WrongNetwork) throw error;
      log.warn({ error }, 'network of Horizon not checked yet');
    });
  }
}
