import type { Clock } from '@holdfast/kernel/context';
import { getWalletHoldings, syncDeposits } from '@holdfast/contracts/http';
import type { CustodyAsset } from '@holdfast/contracts/messages';
import { AppError } from '@holdfast/kernel/errors';
import { handle } from '@holdfast/http/server';
import type { Currency } from '@holdfast/kernel/money';
import { startStubService } from '@holdfast/testing/services';

/** Credited in the currency of its asset, unless another one is given. */
type Deposit = {
  readonly asset: CustodyAsset;
  readonly currency?: Currency;
  readonly amount: string;
  readonly operationId: string;
};

export type WalletsStub = {
  readonly url: string;
  /** Sets what every wallet holds on the ledger network. */
  readonly setHoldings: (amounts: Readonly<Partial<Record<CustodyAsset, string>>>) => void;
  /** What the next request for holdings but one does before it responds. */
  readonly onSecondHoldings: (work: () => Promise<void>) => void;
  /** Sets the deposits that the next sync finds. */
  readonly setDeposits: (deposits: readonly Deposit[]) => void;
  readonly setDown: (isDown: boolean) => void;
  readonly stop: () => Promise<void>;
};

const address = 'GWALLET';

/** Serves the two internal routes of escrow-adapter that the ledger calls. */
export async function startWalletsStub(secret: string, clock: Clock): Promise<WalletsStub> {
  let holdingsByAsset: Readonly<Partial<Record<CustodyAsset, string>>> = {};
  let found: readonly Deposit[] = [];
  let works: readonly (() => Promise<void>)[] = [];
  let isDown = false;
  const refuseWhenDown = (): void => {
    if (isDown) throw new AppError('SERVICE_UNAVAILABLE');
  };
  const holdings = handle(getWalletHoldings, async ({ params }) => {
    refuseWhenDown();
    const [work, ...later] = works;
    works = later;
    await work?.();
    const all = (['USDC', 'XLM'] as const).map((asset) => ({ asset, amount: holdingsByAsset[asset] ?? '0.00' }));
    return { userId: params.userId, address, holdings: all };
  });
  const sync = handle(syncDeposits, async ({ params }) => {
    refuseWhenDown();
    const deposits = found.map((deposit) => ({ currency: deposit.asset, ...deposit, transactionHash: 'hash' }));
    found = [];
    return { userId: params.userId, address, deposits };
  });
  const { url, stop } = await startStubService({ service: 'escrow-adapter', secret, clock, routes: [holdings, sync] });
  return {
    url,
    stop,
    setHoldings: (amounts) => void (holdingsByAsset = amounts),
    onSecondHoldings: (work) => void (works = [() => Promise.resolve(), work]),
    setDeposits: (deposits) => void (found = deposits),
    setDown: (wanted) => void (isDown = wanted),
  };
}
