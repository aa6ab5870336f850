import { pause } from '@holdfast/kernel/async';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { money, type Currency } from '@holdfast/kernel/money';
import { depositDifference } from '../domain/custody-difference.js';
import type { ReportContext } from './compare-payments.js';
import { closeVanished, openDifference } from './difference-cases.js';
import type { Deps } from './ports.js';

const readingsMax = 3;

/**
 * Compares the deposits that escrow-adapter has published with those that the journal has. Some are in flight, so a reading only says
 * what is missing at least. What is missing in every reading is a case, until it is credited.
 */
export async function reconcileDeposits(deps: Deps, ctx: ReportContext): Promise<void> {
  let missing = await readMissing(deps, ctx);
  for (let reading = 2; reading <= readingsMax && [...missing.values()].some((units) => units !== 0n); reading += 1) {
    await pause(deps.settings.recheckAfterMs, ctx.signal);
    const again = await readMissing(deps, ctx);
    missing = new Map([...missing].map(([currency, units]) => [currency, nearerToZero(units, again.get(currency) ?? 0n)]));
  }
  for (const [currency, units] of missing) {
    const found = depositDifference(money(units, currency));
    await closeVanished(deps, found.sourceId, ctx);
    if (units === 0n) continue;
    const missed = { ...found, marketplaceId: defaultMarketplaceId, userId: null };
    await deps.inTransaction((tx) => openDifference(tx, missed, ctx));
  }
}

/**
 * The published deposits that the journal lacks: those that ledger-balance has acknowledged, minus what is booked. Negative where more
 * is booked than was published. What strangers have paid into contracts is booked with its case, and not published for crediting.
 */
async function readMissing({ books, cases }: Deps, { requestId }: ReportContext): Promise<ReadonlyMap<Currency, bigint>> {
  const before = await books.publishedDeposits(requestId);
  const booked = await books.bookedDeposits(requestId);
  const ofCases = await cases.bookedDeposits();
  const after = new Map((await books.publishedDeposits(requestId)).map((total) => [total.currency, total.publishedUnits]));
  const acknowledged = new Map(before.map((total) => [total.currency, total.publishedUnits - total.inFlightUnits]));
  const currencies = new Set([...acknowledged.keys(), ...booked.keys()]);
  return new Map(
    [...currencies].map((currency) => {
      const bookedUnits = (booked.get(currency) ?? 0n) - (ofCases.get(currency) ?? 0n);
      const lacking = (acknowledged.get(currency) ?? 0n) - bookedUnits;
      const beyond = bookedUnits - (after.get(currency) ?? 0n);
      return [currency, lacking > 0n ? lacking : beyond > 0n ? -beyond : 0n];
    }),
  );
}

/** Zero unless both say the same of too little or too much. */
function nearerToZero(one: bigint, other: bigint): bigint {
  if (one > 0n !== other > 0n || one < 0n !== other < 0n) return 0n;
  return one > 0n === one < other ? one : other;
}
