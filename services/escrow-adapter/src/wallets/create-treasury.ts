import { createServiceClient } from '@holdfast/http/service-client';
import type { Leases } from '@holdfast/intents/leases';
import { spendableUnits } from '../domain/spendable.js';
import { tokenContracts } from '../signing/contract-expectations.js';
import { withHistory } from '../transactions/evidence-in-history.js';
import { custodyAssets } from '@holdfast/kernel/money';
import * as declared from '../metrics.js';
import { isSharedNetwork } from './network/shared-network.js';
import type { Wallets } from './ports.js';
import { faucetAt, ownedBy } from './providers.js';
import { sweepStore } from './store/sweep-store.js';
import { treasuryStore } from './store/treasury-store.js';
import { uncreditedStore } from './store/uncredited-store.js';
import { createActivation, type Activation, type ActivationDeps } from './treasury/activation.js';
import { freeChannels } from './treasury/free-channels.js';
import type { TreasuryDeps } from './treasury/maintain-treasury.js';
import { sweptUnitsMin, type SweepDeps } from './treasury/sweep.js';
import { channelCheck, treasuryPayers, type TreasuryPayersDeps } from './treasury/treasury-payers.js';
import { treasurySubmitter, type TreasurySubmitter, type TreasurySubmitterDeps } from './treasury/treasury-submitter.js';
import type { WalletConfig, WalletRuntime } from './wallet-runtime.js';

type Given = Pick<TreasurySubmitterDeps, 'network' | 'rpc' | 'feeBumps' | 'sign' | 'emergencyStop' | 'submissionLimits'> &
  Pick<TreasuryDeps, 'keys'> & {
    /** Leases of source accounts. */
    readonly leases: Leases;
  };

export type Treasury = {
  readonly submitter: TreasurySubmitter;
  readonly activation: Activation;
  readonly paying: Pick<Wallets, 'treasuryPayers' | 'assertHeld'>;
  readonly maintenance: TreasuryDeps;
  readonly sweep: SweepDeps;
};

/** Builds what the treasury does: it activates and sweeps wallets, keeps its own accounts filled, and pays. */
export function createTreasury(runtime: WalletRuntime, given: Given): Treasury {
  const { config, clock, log, lifecycle, database } = runtime;
  const { network, rpc, keys, leases } = given;
  const { background } = lifecycle;
  const usdcIssuer = config.USDC_ISSUER;
  const store = treasuryStore(database);
  const tokens = tokenContracts(network.networkPassphrase, usdcIssuer);
  const submitter = treasurySubmitter({
    ...given,
    rpc: withHistory({ rpc, network, tokens }),
    store,
    treasuryAddress: keys.treasury.address,
    usdcIssuer,
    clock,
    log,
  });
  const channels = freeChannels({ leases, store, signal: lifecycle.signal });
  const metrics = metricsOf(runtime);
  const onShort: OnShort = ({ asset, units }) => {
    metrics.isLow.set({ asset }, 1);
    log.error({ asset, units: units.toString() }, 'the treasury does not hold enough; it must be funded');
  };
  const payers = treasuryPayers({ rpc, submitter, keys, usdcIssuer, freeChannels: channels, background, log, onShort });
  return {
    submitter,
    activation: activationOf(runtime, { store, submitter, network, canSponsor: canSponsor(given, onShort) }),
    paying: { treasuryPayers: payers, assertHeld: channelCheck(payers) },
    maintenance: {
      network,
      submitter,
      keys,
      freeChannels: channels,
      faucet: faucetOf(runtime),
      lowUnits: metrics.lowUnits,
      log,
      onHoldings: metrics.onHoldings,
    },
    sweep: sweepOf(runtime, { rpc, submitter, keys, leases }),
  };
}

type OnShort = TreasuryPayersDeps['onShort'];

/** Of an account with one trustline, and a part of the fee. */
const sponsoredUnits = 15_000_000n + 100_000n;

function canSponsor({ network, keys }: Given, onShort: OnShort): ActivationDeps['canSponsor'] {
  return async (wallets) => {
    const treasury = await network.account(keys.treasury.address);
    const units = BigInt(wallets) * sponsoredUnits;
    const isEnough = treasury !== undefined && spendableUnits(treasury, 'XLM') >= units;
    if (!isEnough) onShort({ asset: 'XLM', units });
    return isEnough;
  };
}

type Activating = Pick<ActivationDeps, 'store' | 'submitter' | 'network' | 'canSponsor'>;

function activationOf({ config, clock, log, lifecycle }: WalletRuntime, given: Activating): Activation {
  return createActivation({ ...given, perHourMax: activationsMax(config), background: lifecycle.background, clock, log });
}

const sharedActivationsMax = 1_000;

/** Undefined means no limit. */
function activationsMax(config: WalletConfig): number | undefined {
  const set = config.WALLET_ACTIVATIONS_PER_HOUR_MAX;
  const max = set ?? (isSharedNetwork(config.LEDGER_NETWORK_PASSPHRASE) ? sharedActivationsMax : 0);
  return max === 0 ? undefined : max;
}

function faucetOf({ config, lifecycle }: WalletRuntime): TreasuryDeps['faucet'] {
  if (config.LEDGER_FAUCET_URL === undefined) return undefined;
  const faucet = faucetAt(config.LEDGER_FAUCET_URL);
  lifecycle.onStop('faucet client', faucet.close);
  return faucet;
}

const unitsPerWhole = 10_000_000;

function metricsOf({ config, metrics }: WalletRuntime) {
  const holdings = metrics.gauge(declared.treasuryBalance);
  const ofChannel = metrics.gauge(declared.channelBalance);
  const isLow = metrics.gauge(declared.treasuryLow);
  const lowUnits = BigInt(config.TREASURY_LOW_USDC) * BigInt(unitsPerWhole);
  const onHoldings: TreasuryDeps['onHoldings'] = ({ XLM, USDC }, channels) => {
    channels.forEach((balances, index) => {
      for (const asset of custodyAssets)
        ofChannel.set({ channel: String(index + 1), asset }, Number(balances?.[asset] ?? 0n) / unitsPerWhole);
    });
    holdings.set({ asset: 'XLM' }, Number(XLM) / unitsPerWhole);
    holdings.set({ asset: 'USDC' }, Number(USDC) / unitsPerWhole);
    // XLM has no threshold: the next payment or activation that needs more than there is sets it again.
    isLow.set({ asset: 'XLM' }, 0);
    isLow.set({ asset: 'USDC' }, USDC < lowUnits ? 1 : 0);
  };
  return { isLow, lowUnits, onHoldings };
}

type Sweeping = Pick<Given, 'rpc' | 'keys' | 'leases'> & { readonly submitter: TreasurySubmitter };

const sweepLeaseWaitMs = 50;

function sweepOf({ config, database, log, lifecycle, signer }: WalletRuntime, given: Sweeping): SweepDeps {
  const { rpc, submitter, keys, leases } = given;
  const baseUrl = config.LEDGER_BALANCE_URL;
  const ledger = createServiceClient({ from: 'escrow-adapter', to: 'ledger-balance', baseUrl, signer });
  lifecycle.onStop('ledger client of wallets', ledger.close);
  return {
    ...sweepStore(database, { everyMs: config.WALLET_SWEEP_EVERY_MS, xlmAbove: sweptUnitsMin.XLM }),
    // A wallet whose lease is taken is paying right now; the next sweep covers it.
    lease: (address) =>
      leases.acquire([address], lifecycle.signal, sweepLeaseWaitMs).then(
        ({ release }) => release,
        () => undefined,
      ),
    ownedBy: ownedBy(ledger),
    holdingsOf: uncreditedStore(database).holdingsOf,
    accountBalances: (addresses) => rpc.accountBalances(addresses, config.USDC_ISSUER),
    submitter,
    treasuryAddress: keys.treasury.address,
    log,
  };
}
