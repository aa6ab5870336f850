import type { FeeBumps } from '@holdfast/ledger-network/fee-bumps';
import { tokenContracts } from '@holdfast/ledger-network/rpc';
import type { PlatformAccounts, SignForTreasury } from '@holdfast/ledger-network/signing';
import { withHistory, type SubmissionLimits } from '@holdfast/ledger-network/submission';
import type { ServiceRuntime } from '@holdfast/service-kit';
import { createWaiters, type ReadOutcomes } from '@holdfast/work';
import type { Settings } from '../../config.js';
import { onDecoded, treasuryMetrics } from '../../metrics.js';
import type { ContractRpc } from '../../use-cases/entry-ports.js';
import type { TreasuryStore } from '../../use-cases/treasury/ports.js';
import { connectFaucet } from '../faucet.js';
import type { Guards } from '../guards.js';
import type { Horizon } from '../ledger-network.js';
import { connectOwnedBalances } from '../owned-balances.js';
import { freeChannels } from './free-channels.js';
import { rememberHoldings } from './remember-holdings.js';
import { canSponsor, channelCheck, treasuryAddresses, treasuryKeys, treasuryPayers } from './treasury-payers.js';
import { treasurySubmitter } from './treasury-submitter.js';

type Given = Guards &
  Pick<Horizon, 'network'> & {
    readonly rpc: ContractRpc;
    readonly feeBumps: FeeBumps;
    readonly store: TreasuryStore;
    readonly accounts: PlatformAccounts;
    readonly signForTreasury: SignForTreasury;
    readonly submissionLimits?: SubmissionLimits | undefined;
  };

/** The accounts of the treasury on the network, for the use cases that fill, spend and sweep. */
export function connectTreasury(runtime: ServiceRuntime<Settings>, given: Given) {
  const { config, clock, log, lifecycle } = runtime;
  const { network, accounts, store, signForTreasury: sign } = given;
  const { background, signal } = lifecycle;
  const [usdcIssuer, treasuryAddress] = [config.USDC_ISSUER, accounts.treasury];
  const rpc = withHistory({ rpc: given.rpc, network, tokens: tokenContracts(network.networkPassphrase, usdcIssuer) });
  const { lowUnits, onHoldings, onShort } = treasuryMetrics(runtime, config.TREASURY_LOW_USDC);
  const holdings = rememberHoldings(onHoldings, clock);
  const submitter = treasurySubmitter({
    ...given,
    rpc,
    sign,
    treasuryAddress,
    usdcIssuer,
    onDecoded: onDecoded(runtime),
    clock,
    log,
  });
  const common = { rpc, network, accounts, treasuryAddress, usdcIssuer, submitter, background, clock, log, onShort };
  const channels = freeChannels({ ...given, signal });
  const payers = treasuryPayers({ ...common, freeChannels: channels });
  return {
    submitter,
    paying: {
      treasuryPayers: payers,
      treasuryKeys: treasuryKeys(treasuryAddresses(accounts), usdcIssuer),
      assertHeld: channelCheck(payers),
    },
    activation: { ...common, store, canSponsor: canSponsor(common), createWaiters: activationWaiters(runtime) },
    maintenance: { ...common, freeChannels: channels, faucet: connectFaucet(runtime), lowUnits, onHoldings: holdings.onHoldings },
    described: { accounts, store, lowUnits, lastHoldings: holdings.last, describeCaps: given.describeCaps },
    sweep: { ...common, leases: given.leases, signal, ownedBy: connectOwnedBalances(runtime) },
  };
}

const activationPollEveryMs = 200;

function activationWaiters({ log, lifecycle: { signal, stopGraceMs } }: Pick<ServiceRuntime<Settings>, 'log' | 'lifecycle'>) {
  return (readOutcomes: ReadOutcomes<string, 'active'>) =>
    createWaiters({ name: 'activations', readOutcomes, pollEveryMs: activationPollEveryMs, log, signal, stopGraceMs });
}
