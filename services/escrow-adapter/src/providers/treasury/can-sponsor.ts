import type { LedgerNetwork } from '@holdfast/ledger-network/horizon';
import { spendableUnits, type Spent } from '@holdfast/ledger-network/values';

type Deps = {
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly treasuryAddress: string;
  /** The treasury does not hold the amount. */
  readonly onShort: (amount: Spent) => void;
};

/** Of an account with one trustline, and a part of the fee. */
const sponsoredUnits = 15_000_000n + 100_000n;

/** Whether the treasury has the reserves of this many wallets. */
export function canSponsor({ network, treasuryAddress, onShort }: Deps): (wallets: number) => Promise<boolean> {
  return async (wallets) => {
    const treasury = await network.account(treasuryAddress);
    const units = BigInt(wallets) * sponsoredUnits;
    const isEnough = treasury !== undefined && spendableUnits(treasury, 'XLM') >= units;
    if (!isEnough) onShort({ asset: 'XLM', units });
    return isEnough;
  };
}
