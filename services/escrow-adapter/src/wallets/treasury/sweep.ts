import type { Log } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/contracts/messages';
import type { MarketplaceId, UserId } from '@holdfast/kernel/ids';
import { spendableUnits } from '../../domain/spendable.js';
import type { LedgerAccount, LedgerNetwork } from '../ports.js';
import type { TreasuryOperation } from './treasury-operations.js';
import { otherSignersMax, type TreasurySubmitter } from './treasury-submitter.js';

export type SweepableWallet = { readonly userId: UserId; readonly marketplaceId: MarketplaceId; readonly address: string };

export type Owned = Readonly<Record<CustodyAsset, bigint>>;

export type SweepDeps = {
  /** Claims wallets that hold tokens, least recently checked first. */
  readonly claimSweepable: (countMax: number) => Promise<readonly SweepableWallet[]>;
  /** The users' balances in the platform's ledger. */
  readonly ownedBy: (userIds: readonly UserId[]) => Promise<ReadonlyMap<UserId, Owned>>;
  /** Prevents intents from paying with the wallet during the sweep; undefined where one is paying right now. */
  readonly lease: (address: string) => Promise<(() => void) | undefined>;
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly submitter: TreasurySubmitter;
  readonly treasuryAddress: string;
  readonly log: Log;
};

/** Smaller amounts are not swept, because the fee would exceed them. */
export const sweptUnitsMin: Owned = { USDC: 100_000n, XLM: 10_000_000n };

/** Moves surplus tokens of wallets, such as escrow payouts, to the treasury. */
export async function sweepWallets(deps: SweepDeps): Promise<number> {
  const wallets = await deps.claimSweepable(otherSignersMax);
  if (wallets.length === 0) return 0;
  const leases = await Promise.all(wallets.map(({ address }) => deps.lease(address)));
  try {
    await sweepLeased(
      deps,
      wallets.filter((_, index) => leases[index] !== undefined),
    );
  } finally {
    for (const release of leases) release?.();
  }
  return wallets.length;
}

async function sweepLeased(deps: SweepDeps, wallets: readonly SweepableWallet[]): Promise<void> {
  if (wallets.length === 0) return;
  const owned = await deps.ownedBy(wallets.map(({ userId }) => userId));
  const plans = await Promise.all(
    wallets.map(async (wallet) => {
      const account = await deps.network.account(wallet.address);
      const own = owned.get(wallet.userId) ?? { USDC: 0n, XLM: 0n };
      return {
        wallet,
        operations: account === undefined ? [] : sweepOperations(wallet.address, deps.treasuryAddress, { account, own }),
      };
    }),
  );
  const operations = plans.flatMap((plan) => plan.operations);
  if (operations.length === 0) return;
  const signing = plans.filter((plan) => plan.operations.length > 0);
  const result = await deps.submitter.execute(
    'sweep',
    operations,
    signing.map(({ wallet }) => ({ user: wallet.userId, marketplaceId: wallet.marketplaceId })),
  );
  deps.log.info({ wallets: signing.length, operations: operations.length, result }, 'wallets swept');
}

/** The user's own balance stays in the wallet. The network keeps the reserve of an account that a third party has created. */
export function sweepOperations(
  address: string,
  treasuryAddress: string,
  { account, own }: { readonly account: LedgerAccount; readonly own: Owned },
): readonly TreasuryOperation[] {
  return (['USDC', 'XLM'] as const).flatMap((asset): readonly TreasuryOperation[] => {
    const surplus = (account.balances[asset] ?? 0n) - own[asset];
    const spendable = spendableUnits(account, asset);
    const units = surplus < spendable ? surplus : spendable;
    return units < sweptUnitsMin[asset] ? [] : [{ does: 'pay', by: address, to: treasuryAddress, asset, units }];
  });
}
