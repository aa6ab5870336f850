import { Networks } from '@stellar/stellar-sdk';
import type { z } from 'zod';
import { isId } from '@holdfast/kernel/ids';
import { knownUsers } from '@holdfast/service-host/known-users';
import { createServiceClient, type ServiceClient } from '@holdfast/http/service-client';
import type { Job, ServiceRuntime } from '@holdfast/service-host';
import type { EmergencyStop, Leases } from '@holdfast/intents';
import { creditedCurrency } from './custody/credited-currency.js';
import type { OwnPlace } from './custody/legs.js';
import { pollAccount, pollAccounts, pollNetwork, type WatcherStore } from './custody/watcher.js';
import { createPoller, type Poller } from './custody/poller.js';
import { walletRoutes } from './http/wallet-routes.js';
import { masterKeys } from './keys/master-keys.js';
import { openKeys } from './keys/open-keys.js';
import { platformKeys, type PlatformKeys } from './keys/platform-keys.js';
import { horizonNetwork } from './network/horizon-network.js';
import { ledgerPayments } from './payments/ledger-payments.js';
import type { Wallets, WalletsModule } from './ports.js';
import { faucetAt, ownedBy } from './providers.js';
import type { walletSettings } from './settings.js';
import { createSigner } from './signing/signer.js';
import { sweepStore } from './store/sweep-store.js';
import { treasuryStore } from './store/treasury-store.js';
import { walletStore, type Wallet, type WalletStore } from './store/wallet-store.js';
import { watcherStore } from './store/watcher-store.js';
import { createActivation, starterUnits, type Activation } from './treasury/activation.js';
import { refillBelowUnits, sweepWallets, type SweepDeps } from './treasury/sweep.js';
import { treasurySubmitter, type TreasurySubmitter, type TreasurySubmitterDeps } from './treasury/treasury-submitter.js';
import { maintainTreasury, type TreasuryDeps } from './treasury/maintain-treasury.js';
import { walletDirectory, type WalletDirectory } from './wallet-directory.js';

type WalletConfig = z.output<z.ZodObject<typeof walletSettings>> & { readonly IDENTITY_URL: string };
export type WalletRuntime = ServiceRuntime<WalletConfig>;

/** `leases` are the leases of source accounts. */
export type WalletsGuards = { readonly leases: Leases; readonly emergencyStop: EmergencyStop };

/** Builds wallets, keys, treasury and custody watcher. */
export async function createWallets(runtime: WalletRuntime, { leases, emergencyStop }: WalletsGuards): Promise<WalletsModule> {
  const { config, database, outbox, clock, newId, log, lifecycle } = runtime;
  const isShared = isSharedNetwork(config.LEDGER_NETWORK_PASSPHRASE);
  const network = networkOf(config);
  const own = keysOf(config);
  const master = masterKeys({ current: config.WALLET_MASTER_KEY, previous: config.WALLET_MASTER_KEY_PREVIOUS });
  const store = walletStore({ database, outbox });
  const signForRoles = createSigner({
    networkPassphrase: network.networkPassphrase,
    platformKeys: own,
    assertNotStopped: emergencyStop.assertNotStopped,
    findWallet: openKeys({ store, keys: master }),
  });
  const { submitter, activation } = treasurySubmissionOf(runtime, {
    network,
    keys: own,
    store: treasuryStore(database, isShared),
    sign: signForRoles,
    emergencyStop,
  });
  const directory = walletDirectory({ store, keys: master, activation, clock, newId });
  lifecycle.onStop('wallet directory', directory.drain);
  const credited = creditedCurrency(config.DEPOSIT_CREDITS);
  const watched = watcherStore({ database, outbox, platformPlaces: placesOf(own), creditedCurrency: credited });
  const watcherDeps = { history: network.history, store: watched, log };
  const poller = createPoller(isShared ? pollAccounts(watcherDeps) : pollNetwork(watcherDeps), lifecycle);
  lifecycle.onStop('ledger poller', poller.stop);
  const treasury = treasuryOf(runtime, { network, submitter, keys: own });
  await maintainTreasury(treasury).catch((error: unknown) => log.warn({ error }, 'treasury maintenance incomplete'));
  const pollFor = (wallet: Wallet) => (isShared ? pollAccount(watcherDeps, wallet.address, lifecycle.signal) : poller.pollNow());
  return {
    wallets: { ...walletsOf(directory, store, own), ...custodyAddresses(own, { store, watched }) },
    payments: ledgerPayments({ network, usdcIssuer: config.USDC_ISSUER, clock }),
    sign: (role, operation, envelope) => signForRoles([role], operation, envelope),
    network,
    storesUnpublished: isShared,
    prepareWallet: walletPreparation(directory, runtime),
    routes: walletRoutes({
      users: usersOf(runtime),
      directory,
      network,
      history: network.history,
      pollFor,
      networkName: config.LEDGER_NETWORK_NAME,
      usdcIssuer: config.USDC_ISSUER,
      creditedCurrency: credited,
    }),
    jobs: jobsOf(config, {
      poller,
      activation,
      directory,
      treasury,
      sweep: sweepOf(runtime, { network, submitter, keys: own }, leases),
    }),
  };
}

type TreasurySubmission = Pick<TreasurySubmitterDeps, 'network' | 'store' | 'sign' | 'emergencyStop'> & {
  readonly keys: PlatformKeys;
};

function treasurySubmissionOf({ config, clock, log, lifecycle }: WalletRuntime, given: TreasurySubmission) {
  const { network, store, keys } = given;
  const ofTreasury = { treasuryAddress: keys.treasury.address, usdcIssuer: config.USDC_ISSUER };
  const submitter = treasurySubmitter({ ...given, ...ofTreasury, clock, log });
  const activation = createActivation({ store, submitter, network, clock, log, background: lifecycle.background });
  return { submitter, activation };
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

/** On a public network the whole history is too much to read, so each account is polled instead. */
function isSharedNetwork(passphrase: string): boolean {
  return Object.values<string>(Networks).includes(passphrase);
}

function networkOf(config: WalletConfig) {
  return horizonNetwork({
    url: config.LEDGER_NETWORK_URL,
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

function walletsOf(
  directory: WalletDirectory,
  { holdingsOf }: WalletStore,
  own: PlatformKeys,
): Omit<Wallets, 'isOwnAddress' | 'addressesAt'> {
  return {
    holdingsOf,
    addressOf: (userId, marketplaceId) => directory.activeAddressOf({ userId, marketplaceId }),
    platformAddress: () => own.platform.address,
    treasuryAddress: (channel) => channelOf(own, channel),
    treasuryChannelCount: own.channels.length,
  };
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

function channelOf({ channels }: PlatformKeys, channel: number): string {
  const key = channels[channel];
  if (key === undefined) throw new RangeError(`the treasury has no channel ${channel}`);
  return key.address;
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

type TreasuryAccess = Pick<TreasuryDeps, 'network' | 'keys'> & { readonly submitter: TreasurySubmitter };

const unitsPerWhole = 10_000_000;

function treasuryOf({ config, metrics, lifecycle, log }: WalletRuntime, access: TreasuryAccess): TreasuryDeps {
  const holdings = metrics.gauge('treasury_balance_tokens', 'Balance of the treasury and its channels', ['asset']);
  const isLow = metrics.gauge('treasury_is_low', 'Whether the USDC balance of the treasury is below its threshold');
  const lowUnits = BigInt(config.TREASURY_LOW_USDC) * BigInt(unitsPerWhole);
  const faucet = config.LEDGER_FAUCET_URL === undefined ? undefined : faucetAt(config.LEDGER_FAUCET_URL);
  if (faucet !== undefined) lifecycle.onStop('faucet client', faucet.close);
  return {
    ...access,
    faucet,
    lowUnits,
    log,
    onHoldings: ({ XLM, USDC }) => {
      holdings.set({ asset: 'XLM' }, Number(XLM) / unitsPerWhole);
      holdings.set({ asset: 'USDC' }, Number(USDC) / unitsPerWhole);
      isLow.set(USDC < lowUnits ? 1 : 0);
    },
  };
}

function sweepOf(
  { config, database, log, lifecycle, signer }: WalletRuntime,
  { network, submitter, keys }: TreasuryAccess,
  leases: Leases,
): SweepDeps {
  const everyMs = config.WALLET_SWEEP_EVERY_MS;
  const ledger: ServiceClient = createServiceClient({
    from: 'escrow-adapter',
    to: 'ledger-balance',
    baseUrl: config.LEDGER_BALANCE_URL,
    signer,
  });
  lifecycle.onStop('ledger client of wallets', ledger.close);
  const limits = { everyMs, xlmAbove: 2n * starterUnits, xlmBelow: refillBelowUnits };
  return {
    ...sweepStore(database, limits),
    // A wallet whose lease is taken is paying right now; the next sweep covers it.
    lease: (address) =>
      leases.acquire([address], lifecycle.signal, sweepLeaseWaitMs).then(
        ({ release }) => release,
        () => undefined,
      ),
    ownedBy: ownedBy(ledger),
    network,
    submitter,
    treasuryAddress: keys.treasury.address,
    log,
  };
}

const sweepLeaseWaitMs = 50;

type Jobs = {
  readonly poller: Poller;
  readonly activation: Activation;
  readonly directory: WalletDirectory;
  readonly treasury: TreasuryDeps;
  readonly sweep: SweepDeps;
};

const activateEveryMs = 2_000;
const makeMissingEveryMs = 30_000;
const treasuryEveryMs = 30_000;
const sweepBatchesMax = 50;

function jobsOf(config: WalletConfig, { poller, activation, directory, treasury, sweep }: Jobs): readonly Job[] {
  return [
    { name: 'watch-ledger', everyMs: config.LEDGER_WATCH_EVERY_MS, run: poller.poll },
    { name: 'activate-wallets', everyMs: activateEveryMs, run: activation.run },
    { name: 'make-missing-wallets', everyMs: makeMissingEveryMs, run: directory.makeMissing },
    { name: 'maintain-treasury', everyMs: treasuryEveryMs, run: () => maintainTreasury(treasury) },
    {
      name: 'sweep-wallets',
      everyMs: config.WALLET_SWEEP_EVERY_MS,
      run: async (signal) => {
        for (let batch = 0; batch < sweepBatchesMax && !signal.aborted; batch += 1) if ((await sweepWallets(sweep)) === 0) return;
      },
    },
  ];
}
