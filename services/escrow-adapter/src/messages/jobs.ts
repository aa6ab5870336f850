import { openIntentsMeasurement, type IntentStore } from '@holdfast/intents';
import type { ServiceRuntime } from '@holdfast/service-kit';
import { dueWorkEveryMs, type Job } from '@holdfast/work';
import { watchEveryMsOf, type Settings } from '../config.js';
import { checkContracts } from '../use-cases/check-contracts.js';
import type { Following } from '../use-cases/custody/follow-network.js';
import { extendCode } from '../use-cases/extend-lifetimes.js';
import { intentKinds, type Deps } from '../use-cases/ports.js';
import type { Activation } from '../use-cases/treasury/activation.js';
import { maintainTreasury, type TreasuryDeps } from '../use-cases/treasury/maintain-treasury.js';
import { sweepWallets, type SweepDeps } from '../use-cases/treasury/sweep-wallets.js';
import type { WalletDirectory } from '../use-cases/wallets/ports.js';

const checkRunsPerPeriod = 10;
const extendCodeEveryMs = 21_600_000;

/** Time → use case, for contracts. */
export function contractJobs(
  { config, metrics }: Pick<ServiceRuntime<Settings>, 'config' | 'metrics'>,
  { deps, intents }: { readonly deps: Deps; readonly intents: IntentStore },
): readonly Job[] {
  const checkEveryMs = config.ESCROW_CHECK_EVERY_MS;
  return [
    ...deps.inbox.jobs,
    {
      name: 'check-contracts',
      everyMs: Math.ceil(checkEveryMs / checkRunsPerPeriod),
      run: () => checkContracts(deps, checkEveryMs),
    },
    { name: 'extend-code', everyMs: extendCodeEveryMs, run: () => extendCode(deps) },
    openIntentsMeasurement(intents, { kinds: Object.keys(intentKinds), metrics }),
  ];
}

export const activateJob = 'activate-wallets';
/** A wallet that was not activated is tried again after this time. */
const activateAgainMs = 2_000;
const makeMissingEveryMs = 30_000;
const treasuryEveryMs = 30_000;

type WalletJobsDeps = {
  readonly following: Pick<Following, 'run'>;
  readonly directory: WalletDirectory;
  readonly activation: Activation;
  /** Whether a wallet waits for its activation. */
  readonly hasWaiting: () => Promise<boolean>;
  readonly maintenance: TreasuryDeps;
  readonly sweep: SweepDeps;
};

/** Time → use case, for wallets, treasury and custody. */
export function walletJobs(config: Settings, deps: WalletJobsDeps): readonly Job[] {
  const { following, directory, activation, hasWaiting, maintenance, sweep } = deps;
  return [
    { name: 'watch-ledger', everyMs: watchEveryMsOf(config), run: following.run },
    {
      name: activateJob,
      everyMs: dueWorkEveryMs,
      pauseMsMin: activateAgainMs,
      nextDueInMs: async () => ((await hasWaiting()) ? 0 : undefined),
      run: activation.run,
    },
    { name: 'make-missing-wallets', everyMs: makeMissingEveryMs, run: directory.makeMissing },
    { name: 'maintain-treasury', everyMs: treasuryEveryMs, run: () => maintainTreasury(maintenance) },
    { name: 'sweep-wallets', everyMs: config.WALLET_SWEEP_EVERY_MS, run: (signal) => sweepWallets(sweep, signal) },
  ];
}
