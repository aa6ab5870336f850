import type { CustodyAsset } from '@holdfast/contracts/messages';
import { retry } from '@holdfast/kernel/async';
import type { Deps, UserLookup, WalletDifference } from './ports.js';

/** A landed transaction is booked a moment later, so a difference is found only if it stays the same for about a second. */
const comparisons = { attemptsMax: 5, firstDelayMs: 100 } as const;

class WalletDiffers extends Error {}

/**
 * Compares what a wallet holds on the ledger network with the journal, until they agree. Undefined if they do; `isSettled` says
 * whether the last two comparisons found the same.
 */
export async function compareWallet(
  { wallets }: Pick<Deps, 'wallets'>,
  user: UserLookup,
  asset: CustodyAsset,
): Promise<(WalletDifference & { readonly isSettled: boolean }) | undefined> {
  const found: WalletDifference[] = [];
  const compare = async (): Promise<void> => {
    const { address, units } = await wallets.networkHoldings(user, asset);
    const journalUnits = await wallets.ledgerHoldings(user.userId, asset);
    if (units === journalUnits) return void found.splice(0);
    found.push({ address, asset, networkUnits: units, journalUnits });
    throw new WalletDiffers();
  };
  const isDifferent = (error: unknown): boolean => error instanceof WalletDiffers;
  await retry(compare, { ...comparisons, shouldRetry: isDifferent }).catch((error: unknown) => {
    if (!isDifferent(error)) throw error;
  });
  const [last, previous] = found.toReversed();
  if (last === undefined) return undefined;
  const isSettled = previous?.networkUnits === last.networkUnits && previous.journalUnits === last.journalUnits;
  return { ...last, isSettled };
}
