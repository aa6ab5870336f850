import { isId } from '@holdfast/kernel/ids';
import { knownUsers } from '@holdfast/service-kit/known-users';
import { measureProvider } from '@holdfast/http/provider-calls';
import { createServiceClient } from '@holdfast/http/service-client';
import type { Job } from '@holdfast/work';
import { settlementTimeoutMsOf } from '@holdfast/process/config';
import { IntentPaused } from '@holdfast/intents';
import { type EmergencyStop } from '@holdfast/intents/provider-controls';
import { type Leases } from '@holdfast/intents/leases';
import { feeBumpsRefused, feeBumpsStuck } from '../metrics.js';
import { contractAdoption, type AdoptionDeps } from '../use-cases/adopt-contracts.js';
import type { FeeBumps, LedgerRpc } from '../use-cases/network-ports.js';
import type { OwnPlace } from './custody/legs.js';
import type { Follower } from './custody/follower.js';
import type { WatcherStore } from './custody/watcher.js';
import { createFeeBumps, type FeeBumpsDeps } from '../transactions/fee-bumps.js';
import type { SubmissionLimits } from '../transactions/submission.js';
import { walletRoutes, type WalletRoutesDeps } from './http/wallet-routes.js';
import { assertSameInstallation, type InstallationIdentity } from './installation-identity.js';
import { masterKeys } from './keys/master-keys.js';
import { openKeys } from './keys/open-keys.js';
import { platformKeys, type PlatformKeys } from './keys/platform-keys.js';
import { checkHistories, historyOf, secondHistoryOf, watchEveryMs } from './history.js';
import { horizonNetwork } from './network/horizon-network.js';
import type { LedgerHistory } from './network/ledger-history.js';
import { ledgerPayments } from './payments/ledger-payments.js';
import type { Wallets, WalletsModule } from './ports.js';
import { createCustody, type Custody } from './create-custody.js';
import { createTreasury, type Treasury } from './create-treasury.js';
import type { WalletConfig, WalletRuntime } from './wallet-runtime.js';
import { createSigner } from './signing/signer.js';
import { identityStore } from './store/identity-store.js';
import { movingAccounts } from './store/moving-store.js';
import { linkedWalletStore } from './store/linked-wallet-store.js';
import { uncreditedStore } from './store/uncredited-store.js';
import { walletStore, type WalletStore } from './store/wallet-store.js';
import { caseResolvedHandler } from './store/quarantine-store.js';
import { WalletNotActive } from './treasury/activation.js';
import { sweepWallets } from './treasury/sweep.js';
import { maintainTreasury } from './treasury/maintain-treasury.js';
import { walletDirectory, type WalletDirectory } from './wallet-directory.js';

/** `leases` are the leases of source accounts. */
export type WalletsGuards = {
  readonly leases: Leases;
  readonly emergencyStop: EmergencyStop;
  readonly rpc: LedgerRpc;
  /** With which contracts are recognised. */
  readonly contracts: Pick<AdoptionDeps, 'expectations' | 'contracts'>;
  /** Counts what the treasury pays for fees. */
  readonly beginSpending: FeeBumpsDeps['beginSpending'];
  /** Only tests wait for less. */
  readonly submissionLimits?: SubmissionLimits | undefined;
};

/** Builds wallets, keys, treasury and custody watcher. */
export async function createWallets(runtime: WalletRuntime, guards: WalletsGuards): Promise<WalletsModule> {
  const { emergencyStop, rpc } = guards;
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
  const adoptContracts = contractAdoption({ ...guards.contracts, rpc, platformAddress: own.platform.address, log });
  const found = { history, secondHistory, platformPlaces: placesOf(own), holdingsOf: store.holdingsOf, adoptContracts };
  const custody = await createCustody(runtime, { ...guards, ...found });
  await maintainTreasury(treasury.maintenance).catch((error: unknown) => log.warn({ error }, 'treasury maintenance incomplete'));
  const addresses = custodyAddresses(own, { store, watched: custody.watched });
  return {
    wallets: { ...walletsOf(directory, store, own), ...treasury.paying, ...addresses, ...readingsOf(runtime, custody) },
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
      emergencyStop,
      network,
      history,
      rpc,
      ...depositsOf(runtime, custody),
      treasury: { database, outbox, approvalAmount: config.TREASURY_TRANSFER_APPROVAL_AMOUNT },
      activationWaitMsMax: settlementTimeoutMsOf(config),
      networkName: config.LEDGER_NETWORK_NAME,
      usdcIssuer: config.USDC_ISSUER,
    }),
    jobs: [...jobsOf(config, { follower: custody.follower, directory, treasury }), feeBumps.job],
  };
}

function readingsOf({ database }: WalletRuntime, { followTo }: Custody): Pick<Wallets, 'followTo' | 'movingAt'> {
  return { followTo, movingAt: movingAccounts(database) };
}

type DepositDeps = Pick<WalletRoutesDeps, 'uncreditedOf' | 'depositTotals' | 'poll' | 'prove' | 'creditedCurrency'>;

function depositsOf({ database }: WalletRuntime, { poller, prove, credited }: Custody): DepositDeps {
  const { uncreditedOf, totals: depositTotals } = uncreditedStore(database);
  return { uncreditedOf, depositTotals, poll: poller.pollNow, prove, creditedCurrency: credited };
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
): Pick<Wallets, 'isOwnAddress' | 'addressesAt' | 'payersOf'> {
  return {
    isOwnAddress: async (address) => (await watched.placesOf([address]))(address) !== undefined,
    addressesAt: async (place, ownerId) => {
      if (place === 'treasury') return [treasury, ...channels].map(({ address }) => address);
      if (place === 'platform') return [platform.address];
      if (place !== 'wallet' || ownerId === null || !isId(ownerId, 'usr')) return [];
      return (await store.find([ownerId])).map(({ address }) => address);
    },
    payersOf: async (userId) => [...channels, ...(await store.find([userId]))].map(({ address }) => address),
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
