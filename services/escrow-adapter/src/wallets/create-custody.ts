import type { Leases } from '@holdfast/intents/leases';
import type { AdoptContracts } from '../use-cases/adopt-contracts.js';
import type { LedgerRpc } from '../use-cases/network-ports.js';
import { creditedCurrency, type CreditedCurrency } from './custody/credited-currency.js';
import { createFollowTo, type FollowTo } from './custody/followed-ledger.js';
import { createFollower, type Follower } from './custody/follower.js';
import type { OwnPlace } from './custody/legs.js';
import { openingBalances } from './custody/opening-balances.js';
import { createPoller, type Poller } from './custody/poller.js';
import { createProver, type Prove } from './custody/prover.js';
import { beginHistory, pollNetwork, type WatcherStore } from './custody/watcher.js';
import { historyBeginning, proverMetrics, watcherMetrics } from './history.js';
import type { HorizonHistory } from './network/horizon-history.js';
import { isSharedNetwork } from './network/shared-network.js';
import { unitsOfText } from './network/units-of-text.js';
import { claimStore } from './store/claim-store.js';
import type { WalletStore } from './store/wallet-store.js';
import { watcherStore } from './store/watcher-store.js';
import type { WalletRuntime } from './wallet-runtime.js';

export type CustodyGiven = {
  readonly leases: Leases;
  readonly rpc: LedgerRpc;
  readonly history: HorizonHistory;
  readonly secondHistory: HorizonHistory | undefined;
  /** The accounts of the platform itself. */
  readonly platformPlaces: ReadonlyMap<string, OwnPlace>;
  readonly holdingsOf: WalletStore['holdingsOf'];
  readonly adoptContracts: AdoptContracts;
};

export type Custody = {
  readonly watched: WatcherStore;
  readonly poller: Poller;
  readonly prove: Prove;
  readonly follower: Follower;
  readonly followTo: FollowTo;
  readonly credited: CreditedCurrency;
};

/** Builds what follows the network's history and books it. The history begins before anything else happens on the network. */
export async function createCustody(runtime: WalletRuntime, given: CustodyGiven): Promise<Custody> {
  const { config, database, outbox, clock, log, lifecycle } = runtime;
  const { leases, rpc, history, secondHistory, platformPlaces, holdingsOf, adoptContracts } = given;
  const credited = creditedCurrency(config.DEPOSIT_CREDITS);
  const outflowStops = config.UNKNOWN_OUTFLOW_STOPS ?? isSharedNetwork(config.LEDGER_NETWORK_PASSPHRASE);
  const messages = { outbox, creditedCurrency: credited, outflowStops };
  const minimumUnits = { USDC: unitsOfText(config.DEPOSIT_MINIMUM_USDC), XLM: unitsOfText(config.DEPOSIT_MINIMUM_XLM) };
  const watched = watcherStore({ ...messages, database, platformPlaces });
  const readOpening = openingBalances({ rpc, platformPlaces, usdcIssuer: config.USDC_ISSUER });
  await beginHistory({ store: watched, readOpening }, historyBeginning(config.LEDGER_NETWORK_PASSPHRASE));
  const prove = createProver({
    rpc,
    secondHistory,
    store: claimStore({ ...messages, database, minimumUnits, placesOf: watched.placesOf, holdingsOf }),
    usdcIssuer: config.USDC_ISSUER,
    giveUpAfterMs: config.DEPOSIT_UNCONFIRMED_AFTER_MS,
    clock,
    log,
    metrics: proverMetrics(runtime),
  });
  const counted = { ends: 0 };
  const metrics = watcherMetrics(runtime);
  const onEnd = (): void => {
    counted.ends += 1;
    metrics.onEnd();
  };
  const poll = pollNetwork({ history, store: watched, prove, adoptContracts, log, metrics: { ...metrics, onEnd } });
  const poller = createPoller(poll, lifecycle);
  lifecycle.onStop('ledger poller', poller.stop);
  const follower = createFollower({ poller, leases, signal: lifecycle.signal });
  lifecycle.onStop('ledger follower', follower.stop);
  const followTo = createFollowTo({ history, poller, ends: () => counted.ends });
  return { watched, poller, prove, follower, followTo, credited };
}
