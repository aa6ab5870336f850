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
  /** Wallets that hold more or less than a fresh one, those first that were not looked at for longest; from now on they were. */
  readonly takeSweepable: (countMax: number) => Promise<readonly SweepableWallet[]>;
  /** What the users' own balances in these currencies are. */
  readonly ownedBy: (userIds: readonly UserId[]) => Promise<ReadonlyMap<UserId, Owned>>;
  /** Keeps the contracts' side from paying with the wallet meanwhile; undefined where it is doing so right now. */
  readonly lease: (address: string) => Promise<(() => void) | undefined>;
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly submitter: TreasurySubmitter;
  readonly treasuryAddress: string;
  readonly log: Log;
};

/** Less than this stays where it is: moving it would cost more than it is worth. */
const sweptUnitsMin: Owned = { USDC: 100_000n, XLM: 10_000_000n };
/** With less XLM than this a wallet may soon be unable to pay for its contract calls. */
export const refillBelowUnits = 25_000_000n;

/** What escrow payouts left in wallets goes back to the treasury, and wallets that have spent their XLM get some. */
export async function sweepWallets(deps: SweepDeps): Promise<number> {
  const wallets = await deps.takeSweepable(otherSignersMax);
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
        moves: account === undefined ? [] : sweepOperations(wallet.address, deps.treasuryAddress, { account, own }),
      };
    }),
  );
  const moves = plans.flatMap((plan) => plan.moves);
  if (moves.length === 0) return;
  const signing = plans.filter((plan) => plan.moves.some((move) => 'by' in move));
  const result = await deps.submitter.execute(
    'sweep',
    moves,
    signing.map(({ wallet }) => ({ user: wallet.userId, marketplaceId: wallet.marketplaceId })),
  );
  deps.log.info({ wallets: signing.length, moves: moves.length, outcome: result }, 'wallets swept');
}

/** The user's own stays, and of XLM what the wallet was given to live on. */
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
