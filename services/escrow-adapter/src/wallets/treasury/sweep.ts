import type { Log } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/contracts/messages';
import type { MarketplaceId, UserId } from '@holdfast/kernel/ids';
import type { LedgerAccount, LedgerNetwork } from '../ports.js';
import { starterUnits } from './activation.js';
import type { TreasuryOperation } from './treasury-operations.js';
import { otherSignersMax, type TreasurySubmitter } from './treasury-submitter.js';

export type SweepableWallet = { readonly userId: UserId; readonly marketplaceId: MarketplaceId; readonly address: string };

export type Owned = Readonly<Record<CustodyAsset, bigint>>;

export type SweepDeps = {
  /** Claims wallets that hold more or less than a new one, least recently checked first. */
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
const sweptUnitsMin: Owned = { USDC: 100_000n, XLM: 10_000_000n };
/** A wallet with less XLM is refilled, so that it can pay the fees of its contract calls. */
export const refillBelowUnits = 25_000_000n;

/** Moves surplus tokens of wallets, such as escrow payouts, to the treasury, and refills wallets that are low on XLM. */
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
  const signing = plans.filter((plan) => plan.operations.some((operation) => 'by' in operation));
  const result = await deps.submitter.execute(
    'sweep',
    operations,
    signing.map(({ wallet }) => ({ user: wallet.userId, marketplaceId: wallet.marketplaceId })),
  );
  deps.log.info({ wallets: signing.length, operations: operations.length, result }, 'wallets swept');
}

/** The user's own balance and the XLM that the wallet needs stay in it. */
export function sweepOperations(
  address: string,
  treasuryAddress: string,
  { account, own }: { readonly account: LedgerAccount; readonly own: Owned },
): readonly TreasuryOperation[] {
  const reserve: Owned = { USDC: own.USDC, XLM: own.XLM + starterUnits };
  const back = (['USDC', 'XLM'] as const).flatMap((asset): readonly TreasuryOperation[] => {
    const units = (account.balances[asset] ?? 0n) - reserve[asset];
    return units < sweptUnitsMin[asset] ? [] : [{ does: 'pay', by: address, to: treasuryAddress, asset, units }];
  });
  const xlmUnits = account.balances.XLM ?? 0n;
  if (xlmUnits >= refillBelowUnits) return back;
  return [...back, { does: 'pay', to: address, asset: 'XLM', units: starterUnits - xlmUnits }];
}
