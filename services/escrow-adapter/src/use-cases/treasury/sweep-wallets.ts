import type { Leases } from '@holdfast/intents/leases';
import type { Log } from '@holdfast/kernel/context';
import type { UserId } from '@holdfast/kernel/ids';
import { spendableUnits, type TreasuryOperation } from '@holdfast/ledger-network/values';
import type { AccountBalances, LedgerRpc } from '@holdfast/ledger-network/rpc';
import { otherSignersMax, type Holding, type Owned, type SweepableWallet, type TreasurySubmitter } from './ports.js';

export type SweepDeps = {
  /** Claims wallets that hold tokens, least recently checked first. */
  readonly claimSweepable: (countMax: number) => Promise<readonly SweepableWallet[]>;
  /** The users' balances in the platform's ledger. */
  readonly ownedBy: (userIds: readonly UserId[]) => Promise<ReadonlyMap<UserId, Owned>>;
  /** Prevents intents from paying with a wallet during its sweep. */
  readonly leases: Pick<Leases, 'acquire'>;
  readonly signal: AbortSignal;
  readonly holdingsOf: (userIds: readonly UserId[]) => Promise<readonly Holding[]>;
  readonly rpc: Pick<LedgerRpc, 'accountBalances'>;
  readonly submitter: Pick<TreasurySubmitter, 'execute'>;
  readonly treasuryAddress: string;
  readonly log: Log;
};

/** Smaller amounts are not swept, because the fee would exceed them. */
export const sweptUnitsMin: Owned = { USDC: 100_000n, XLM: 10_000_000n };

const batchesMax = 50;
/** A wallet whose lease is taken is paying right now; the next sweep covers it. */
const leaseWaitMs = 50;

/** Moves surplus tokens of wallets, such as escrow payouts, to the treasury. */
export async function sweepWallets(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  for (let batch = 0; batch < batchesMax && !signal.aborted; batch += 1) if ((await sweepBatch(deps)) === 0) return;
}

async function sweepBatch(deps: SweepDeps): Promise<number> {
  const wallets = await deps.claimSweepable(otherSignersMax);
  if (wallets.length === 0) return 0;
  const leaseOf = ({ address }: SweepableWallet) =>
    deps.leases.acquire([address], deps.signal, leaseWaitMs).catch(() => undefined);
  const leases = await Promise.all(wallets.map(leaseOf));
  try {
    await sweepLeased(
      deps,
      wallets.filter((_, index) => leases[index] !== undefined),
    );
  } finally {
    for (const lease of leases) lease?.release();
  }
  return wallets.length;
}

async function sweepLeased(deps: SweepDeps, wallets: readonly SweepableWallet[]): Promise<void> {
  if (wallets.length === 0) return;
  const userIds = wallets.map(({ userId }) => userId);
  // In this order: a deposit that is credited meanwhile counts twice for the user, and never for the treasury.
  const holdings = await deps.holdingsOf(userIds);
  const owned = await deps.ownedBy(userIds);
  const addresses = wallets.map(({ address }) => address);
  const accounts = await deps.rpc.accountBalances(addresses);
  const plans = wallets.map((wallet) => {
    const account = accounts.get(wallet.address);
    const own = owned.get(wallet.userId) ?? { USDC: 0n, XLM: 0n };
    const held = holdings.filter(({ userId }) => userId === wallet.userId);
    return {
      wallet,
      operations: account === undefined ? [] : sweepOperations(wallet.address, deps.treasuryAddress, { account, own, held }),
    };
  });
  const operations = plans.flatMap((plan) => plan.operations);
  if (operations.length === 0) return;
  const signing = plans.filter((plan) => plan.operations.length > 0);
  const signers = signing.map(({ wallet }) => ({ wallet: wallet.userId }));
  const result = await deps.submitter.execute('sweep', () => Promise.resolve({ operations, signers }));
  deps.log.info({ wallets: signing.length, operations: operations.length, result }, 'wallets swept');
}

/**
 * Only what published transactions have left in the wallet is swept: the rest may be a deposit that was not seen yet. The user's own
 * balance stays, and so do deposits that are not credited yet. The network keeps the reserve of an account that a third party has
 * created.
 */
export function sweepOperations(
  address: string,
  treasuryAddress: string,
  { account, own, held }: { readonly account: AccountBalances; readonly own: Owned; readonly held: readonly Holding[] },
): readonly TreasuryOperation[] {
  return (['USDC', 'XLM'] as const).flatMap((asset): readonly TreasuryOperation[] => {
    const { units: published, uncreditedUnits } = held.find((holding) => holding.asset === asset) ?? nothing;
    const units = least(
      (account.balances[asset] ?? 0n) - own[asset] - uncreditedUnits,
      published - own[asset] - uncreditedUnits,
      spendableUnits(account, asset),
    );
    return units < sweptUnitsMin[asset] ? [] : [{ does: 'pay', by: address, to: treasuryAddress, asset, units }];
  });
}

const nothing = { units: 0n, uncreditedUnits: 0n };

function least(...units: readonly bigint[]): bigint {
  return units.reduce((one, other) => (one < other ? one : other));
}
