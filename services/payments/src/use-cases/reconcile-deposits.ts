import { pause } from '@holdfast/kernel/async';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { money } from '@holdfast/kernel/money';
import { depositDifference } from '../domain/custody-difference.js';
import type { ReportContext } from './compare-payments.js';
import { openCase } from './open-case.js';
import { readPart } from './unavailable.js';
import type { Deps, DepositTotal } from './ports.js';

const rechecksMax = 5;

/**
 * Compares the deposits that escrow-adapter has published with those that the journal has. Some may be in flight, so a difference is
 * read again. What stays the same is a case.
 */
export async function reconcileDeposits(deps: Deps, ctx: ReportContext): Promise<void> {
  let differing = await findDiffering(deps, ctx);
  for (let recheck = 1; recheck <= rechecksMax && differing.length > 0; recheck += 1) {
    await pause(deps.settings.recheckAfterMs, ctx.signal);
    const again = await findDiffering(deps, ctx);
    const unchanged = differing.filter((total) => again.some((other) => isSame(total, other)));
    differing = again;
    if (unchanged.length < again.length) continue;
    for (const { currency, publishedUnits, bookedUnits } of unchanged) {
      const found = depositDifference(money(publishedUnits - bookedUnits, currency));
      await deps.inTransaction((tx) => openCase(tx, { ...found, marketplaceId: defaultMarketplaceId, userId: null }, ctx));
    }
    return;
  }
}

/** What somebody has paid into contracts is booked with its case, and not published for crediting. */
async function findDiffering({ books, cases }: Deps, { requestId }: ReportContext): Promise<readonly DepositTotal[]> {
  const ofCases = await cases.bookedDeposits();
  return (await readPart('ledgerNetwork', () => books.depositUnits(requestId)))
    .map((total) => ({ ...total, bookedUnits: total.bookedUnits - (ofCases.get(total.currency) ?? 0n) }))
    .filter(({ publishedUnits, bookedUnits }) => publishedUnits !== bookedUnits);
}

function isSame(one: DepositTotal, other: DepositTotal): boolean {
  const keyOf = ({ currency, publishedUnits, bookedUnits }: DepositTotal) => `${currency} ${publishedUnits} ${bookedUnits}`;
  return keyOf(one) === keyOf(other);
}
