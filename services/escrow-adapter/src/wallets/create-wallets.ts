import { isId } from '@holdfast/kernel/ids';
import { knownUsers } from '@holdfast/service-host/known-users';
import { measureProvider } from '@holdfast/http/provider-calls';
import { createServiceClient } from '@holdfast/http/service-client';
import type { Job } from '@holdfast/service-host';
import { settlementTimeoutMsOf } from '@holdfast/service-host/config';
import { IntentPaused, type EmergencyStop, type Leases } from '@holdfast/intents';
import { feeBumpsRefused, feeBumpsStuck } from '../metrics.js';
import type { FeeBumps, LedgerRpc } from '../use-cases/network-ports.js';
import { creditedCurrency } from './custody/credited-currency.js';
import type { OwnPlace } from './custody/legs.js';
import { createFollower, type Follower } from './custody/follower.js';
import { beginHistory, pollNetwork, type WatcherStore } from './custody/watcher.js';
import { createFeeBumps, type FeeBumpsDeps } from '../transactions/fee-bumps.js';
import type { SubmissionLimits } from '../transactions/submission.js';
import { createPoller } from './custody/poller.js';
import { createProver } from './custody/prover.js';
import { walletRoutes } from './http/wallet-routes.js';
import { assertSameInstallation, type InstallationIdentity } from './installation-identity.js';
import { masterKeys } from './keys/master-keys.js';
import { openKeys } from './keys/open-keys.js';
import { platformKeys, type PlatformKeys } from './keys/platform-keys.js';
import {
  checkHistories,
  historyBeginning,
  historyOf,
  secondHistoryOf,
  proverMetrics,
  watchEveryMs,
  watcherMetrics,
} from './history.js';
import { horizonNetwork } from './network/horizon-network.js';
import type { LedgerHistory } from './network/ledger-history.js';
import { isSharedNetwork } from './network/shared-network.js';
import { unitsOfText } from './network/units-of-text.js';
import { ledgerPayments } from './payments/ledger-payments.js';
import type { Wallets, WalletsModule } from './ports.js';
import { createTreasury, type Treasury } from './create-treasury.js';
import type { WalletConfig, WalletRuntime } from './wallet-runtime.js';
import { createSigner } from './signing/signer.js';
import { claimStore } from './store/claim-store.js';
import { identityStore } from './store/identity-store.js';
import { linkedWalletStore } from './store/linked-wallet-store.js';
import { uncreditedStore } from './store/uncredited-store.js';
import { walletStore, type WalletStore } from './store/wallet-store.js';
import { caseResolvedHandler } from './store/quarantine-store.js';
import { watcherStore } from './store/watcher-store.js';
import { WalletNotActive } from './treasury/activation.js';
import { sweepWallets } from './treasury/sweep.js';
import { maintainTreasury } from './treasury/maintain-treasury.js';
import { walletDirectory, type WalletDirectory } from './wallet-directory.js';

/** `leases` are the leases of source accounts. */
export type WalletsGuards = {
  readonly leases: Leases;
  readonly emergencyStop: EmergencyStop;
  readonly rpc: LedgerRpc;
  /** Counts what the treasury pays for fees. */
  readonly beginSpending: FeeBumpsDeps['beginSpending'];
  /** Only tests wait for less. */
  readonly submissionLimits?: SubmissionLimits | undefined;
};

/** Builds wallets, keys, treasury and custody watcher. */
export async function createWallets(runtime: WalletRuntime, guards: WalletsGuards): Promise<WalletsModule> {
  const { leases, emergencyStop, rpc } = guards;
  const { config, database, outbox, clock, newId, log, lifecycle } = runtime;
  const own = keysOf(config);
  const master = masterKeys({ current: config.WALLET_MASTER_KEY, previous: config.WALLET_MASTER_KEY_PREVIOUS });
  await assertSameInstallation({ store: identityStore(database), identity: identityOf(config, own), keys: master });
  const [history, secondHistory] = [historyOf(runtime), secondHistoryOf(runtime)];
  await checkHistories([history, secondHistory], log);
  const network = networkOf(runtime, history);
  const store = walletStore({ database, outbox });
  const { sign, signForTreasury, signFeeBump } = createSigner({
    networkPassphrase: network.networkPassphrase,
    clock,
    validForMsMax: config.ESCROW_VALID_MS_MAX,
    usdcIssuer: config.USDC_ISSUER,
    platformKeys: own,
    assertNotStopped: emergencyStop.assertNotStopped,
    findWallet: openKeys({ store, keys: master }),
    feeBidUnitsMax: BigInt(config.LEDGER_FEE_BID_MAX),
  });
  const feeBumps = feeBumpsOf(runtime, { rpc, signFeeBump, beginSpending: guards.beginSpending });
  const treasury = createTreasury(runtime, { ...guards, network, feeBumps, keys: own, sign: signForTreasury });
  const { submitter, activation } = treasury;
  const directory = walletDirectory({ store, keys: master, activation, clock, newId });
  lifecycle.onStop('wallet directory', directory.drain);
  const credited = creditedCurrency(config.DEPOSIT_CREDITS);
  const outflowStops = config.UNKNOWN_OUTFLOW_STOPS ?? isSharedNetwork(config.LEDGER_NETWORK_PASSPHRASE);
  const messages = { outbox, creditedCurrency: credited, outflowStops };
  const watched = watcherStore({ ...messages, database, platformPlaces: placesOf(own) });
  await beginHistory({ history, store: watched }, historyBeginning(config.LEDGER_NETWORK_PASSPHRASE));
  const prove = createProver({
    rpc,
    secondHistory,
    store: claimStore({
      ...messages,
      database,
      minimumUnits: { USDC: unitsOfText(config.DEPOSIT_MINIMUM_USDC), XLM: unitsOfText(config.DEPOSIT_MINIMUM_XLM) },
      placesOf: watched.placesOf,
      holdingsOf: store.holdingsOf,
    }),
    usdcIssuer: config.USDC_ISSUER,
    giveUpAfterMs: config.DEPOSIT_UNCONFIRMED_AFTER_MS,
    clock,
    log,
    metrics: proverMetrics(runtime),
  });
  const poller = createPoller(pollNetwork({ history, store: watched, prove, log, metrics: watcherMetrics(runtime) }), lifecycle);
  lifecycle.onStop('ledger poller', poller.stop);
  const follower = createFollower({ poller, leases, signal: lifecycle.signal });
  lifecycle.onStop('ledger follower', follower.stop);
  await maintainTreasury(treasury.maintenance).catch((error: unknown) => log.warn({ error }, 'treasury maintenance incomplete'));
  const deposits = uncreditedStore(database);
  const addresses = custodyAddresses(own, { store, watched });
  return {
    wallets: { ...walletsOf(directory, store, own), ...treasury.paying, ...addresses },
    payments: ledgerPayments({ network, usdcIssuer: config.USDC_ISSUER, clock }),
    sign,
    feeBumps,
    network,
    changeLifetimes: submitter.changeLifetimes,
    handleCaseResolved: caseResolvedHandler(database),
    prepareWallet: walletPreparation(directory, runtime),
    routes: walletRoutes({
      users: usersOf(runtime),
      links: linkedWalletStore({ database, outbox }),
      isOwnAddress: addresses.isOwnAddress,
      newId,
      directory,
      network,
      history,
      poll: poller.pollNow,
      prove,
      rpc,
      uncreditedOf: deposits.uncreditedOf,
      depositTotals: deposits.totals,
      treasury: { database, outbox, approvalAmount: config.TREASURY_TRANSFER_APPROVAL_AMOUNT },
      activationWaitMsMax: settlementTimeoutMsOf(config),
      networkName: config.LEDGER_NETWORK_NAME,
      usdcIssuer: config.USDC_ISSUER,
      creditedCurrency: credited,
    }),
    jobs: [...jobsOf(config, { follower, directory, treasury }), feeBumps.job],
  };
}

function feeBumpsOf(
  { config, clock, log, metrics }: WalletRuntime,
  given: Pick<FeeBumpsDeps, 'rpc' | 'signFeeBump' | 'beginSpending'>,
): FeeBumps {
  const refused = metrics.counter(feeBumpsRefused);
  const stuck = metrics.gauge(feeBumpsStuck);
  return createFeeBumps({
    ...given,
    networkPassphrase: config.LEDGER_NETWORK_PASSPHRASE,
    bidUnitsMax: BigInt(config.LEDGER_FEE_BID_MAX),
    clock,
    log,
    onRefused: (code) => refused.inc({ code }),
    onMeasured: (count) => stuck.set(count),
  });
}

function walletPreparation(directory: WalletDirectory, { lifecycle, log }: WalletRuntime): WalletsModule['prepareWallet'] {
  return (user) => {
    const created = directory.walletOf(user);
    lifecycle.background(
      'wallet creation',
      created.catch((error: unknown) => log.warn({ userId: user.userId, error }, 'wallet creation postponed')),
    );
  };
}

function networkOf({ config, metrics }: WalletRuntime, history: LedgerHistory) {
  return horizonNetwork({
    history,
    measurement: measureProvider(metrics, 'horizon'),
    url: config.LEDGER_HORIZON_URL,
    networkPassphrase: config.LEDGER_NETWORK_PASSPHRASE,
    usdcIssuer: config.USDC_ISSUER,
  });
}

function keysOf(config: WalletConfig): PlatformKeys {
  return platformKeys({
    treasurySeed: config.TREASURY_SEED,
    platformSeed: config.PLATFORM_SEED,
    channelCount: config.TREASURY_CHANNELS,
  });
}

function identityOf(config: WalletConfig, { treasury, platform }: PlatformKeys): InstallationIdentity {
  return {
    treasuryAddress: treasury.address,
    platformAddress: platform.address,
    usdcIssuer: config.USDC_ISSUER,
    networkPassphrase: config.LEDGER_NETWORK_PASSPHRASE,
  };
}

function walletsOf(
  directory: WalletDirectory,
  { holdingsOf }: WalletStore,
  own: PlatformKeys,
): Pick<Wallets, 'holdingsOf' | 'addressOf' | 'platformAddress'> {
  return {
    holdingsOf,
    addressOf: (userId, marketplaceId) =>
      directory.activeAddressOf({ userId, marketplaceId }, intentWaitMs).catch(pauseUntilActive),
    platformAddress: () => own.platform.address,
  };
}

/** A run waits this long for a wallet. Then it pauses: running intents are limited, and others could use its slot. */
const intentWaitMs = 1_000;

function pauseUntilActive(error: unknown): never {
  if (error instanceof WalletNotActive) throw new IntentPaused(error.message, intentWaitMs);
  throw error;
}

type CustodyStores = { readonly store: WalletStore; readonly watched: WatcherStore };

function custodyAddresses(
  { treasury, channels, platform }: PlatformKeys,
  { store, watched }: CustodyStores,
): Pick<Wallets, 'isOwnAddress' | 'addressesAt'> {
  return {
    isOwnAddress: async (address) => (await watched.placesOf([address]))(address) !== undefined,
    addressesAt: async (place, ownerId) => {
      if (place === 'treasury') return [treasury, ...channels].map(({ address }) => address);
      if (place === 'platform') return [platform.address];
      if (place !== 'wallet' || ownerId === null || !isId(ownerId, 'usr')) return [];
      return (await store.find([ownerId])).map(({ address }) => address);
    },
  };
}

function placesOf({ treasury, channels, platform }: PlatformKeys): ReadonlyMap<string, OwnPlace> {
  return new Map<string, OwnPlace>([
    ...[treasury, ...channels].map(({ address }): [string, OwnPlace] => [address, { place: 'treasury' }]),
    [platform.address, { place: 'platform' }],
  ]);
}

function usersOf({ config, database, clock, lifecycle, signer }: WalletRuntime) {
  const identity = createServiceClient({ from: 'escrow-adapter', to: 'identity', baseUrl: config.IDENTITY_URL, signer });
  lifecycle.onStop('identity client of wallets', identity.close);
  return knownUsers({ service: 'escrow-adapter', database, identity, clock });
}

type Jobs = { readonly follower: Follower; readonly directory: WalletDirectory; readonly treasury: Treasury };

const activateEveryMs = 2_000;
const makeMissingEveryMs = 30_000;
const treasuryEveryMs = 30_000;
const sweepBatchesMax = 50;

function jobsOf(config: WalletConfig, { follower, directory, treasury }: Jobs): readonly Job[] {
  const { activation, maintenance, sweep } = treasury;
  return [
    { name: 'watch-ledger', everyMs: watchEveryMs(config), run: follower.run },
    { name: 'activate-wallets', everyMs: activateEveryMs, run: activation.run },
    { name: 'make-missing-wallets', everyMs: makeMissingEveryMs, run: directory.makeMissing },
    { name: 'maintain-treasury', everyMs: treasuryEveryMs, run: () => maintainTreasury(maintenance) },
    {
      name: 'sweep-wallets',
      everyMs: config.WALLET_SWEEP_EVERY_MS,
      run: async (signal) => {
        for (let batch = 0; batch < sweepBatchesMax && !signal.aborted; batch += 1) if ((await sweepWallets(sweep)) === 0) return;
      },
    },
  ];
}
