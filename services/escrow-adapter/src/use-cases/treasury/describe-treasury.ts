import type { SpendingCapView, TreasuryRecord } from '@holdfast/contracts/http';
import { custodyAssets, formatUnits } from '@holdfast/kernel/money';
import type { PlatformAccounts } from '@holdfast/ledger-network/signing';
import type { ChannelBalances, LastHoldings, TreasuryStore } from './ports.js';

export type DescribeTreasuryDeps = {
  readonly accounts: PlatformAccounts;
  readonly store: Pick<TreasuryStore, 'findOpen' | 'waiting'>;
  /** Undefined before the first check of this process. */
  readonly lastHoldings: () => LastHoldings | undefined;
  readonly lowUnits: bigint;
  readonly describeCaps: () => Promise<SpendingCapView[]>;
};

const waitingMax = 1_000;

/** The treasury as an operator sees it. Nothing is read from the network. */
export async function describeTreasury(deps: DescribeTreasuryDeps): Promise<TreasuryRecord> {
  const { accounts, store, lowUnits } = deps;
  const last = deps.lastHoldings();
  const [open, waiting, caps] = await Promise.all([
    store.findOpen(accounts.treasury),
    store.waiting(waitingMax),
    deps.describeCaps(),
  ]);
  return {
    address: accounts.treasury,
    platformAddress: accounts.platform,
    readAt: last?.readAt ?? null,
    holdings: holdingsIn(last?.totals),
    channels: accounts.channels.map((address, index) => ({ address, holdings: holdingsIn(last?.channels[index]) })),
    lowBelow: formatUnits(lowUnits),
    isLow: last === undefined ? null : last.totals.USDC < lowUnits,
    caps,
    openTransaction: open === undefined ? null : { hash: open.hash, purpose: open.step, validUntil: open.validUntil },
    walletsWaiting: waiting.length,
  };
}

function holdingsIn(balances: ChannelBalances): TreasuryRecord['holdings'] {
  if (balances === undefined) return [];
  return custodyAssets.flatMap((asset) => {
    const units = balances[asset];
    return units === undefined ? [] : [{ asset, amount: formatUnits(units) }];
  });
}
