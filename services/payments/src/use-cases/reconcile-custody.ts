import type { CustodyAsset } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, isId, type MarketplaceId, type UserId } from '@holdfast/kernel/ids';
import { custodyAssets, money } from '@holdfast/kernel/money';
import { custodyDifference, differenceOf } from '../domain/custody-difference.js';
import type { ReportContext } from './compare-payments.js';
import { closeVanished, openDifference } from './difference-cases.js';
import type { ComparedAccount, CustodyBalance } from './books-ports.js';
import type { Deps } from './ports.js';

export type CustodyTotals = { readonly asset: CustodyAsset; readonly journalUnits: bigint; readonly networkUnits: bigint };

export type Custody = {
  /** Null where the platform has no account yet. */
  readonly ledger: number | null;
  /** The accounts that hold the money of users. */
  readonly totals: readonly CustodyTotals[];
  /** Network minus journal at all accounts, including the platform's own accounts. */
  readonly differenceUnits: ReadonlyMap<CustodyAsset, bigint>;
};

/** A journal has at most this number of pages of custody accounts. */
const pagesMax = 100_000;

/**
 * Compares the accounts of the platform with the ledger network, each after the ledger that was read. An account with a
 * transaction on its way to the journal waits for a later report. What differs is a case, until it does not differ any more.
 */
export async function reconcileCustody(deps: Deps, ctx: ReportContext): Promise<Custody> {
  const inCases = new Set((await deps.cases.openDifferences()).map(({ sourceId }) => differenceOf(sourceId).account));
  // A contract that has ended is empty and holds nothing to compare, but the difference of its case has vanished.
  const isWanted = (account: CustodyBalance): boolean =>
    holdsMoneyOfUsers(account) || isOfPlatform(account) || inCases.has(accountOf(account));
  const ledgers: number[] = [];
  const sums = new Map<CustodyAsset, CustodyTotals>();
  const differenceUnits = new Map<CustodyAsset, bigint>();
  let after: string | null = null;
  for (let page = 0; page < pagesMax; page += 1) {
    const read = await deps.books.custodyPage({ after, isWanted }, ctx.requestId);
    if (read.ledger !== null) ledgers.push(read.ledger);
    for (const account of read.accounts.filter(({ isMoving }) => !isMoving)) {
      const { asset } = account;
      if (!isOfPlatform(account)) sums.set(asset, added(sums.get(asset), account));
      differenceUnits.set(asset, (differenceUnits.get(asset) ?? 0n) + account.networkUnits - account.units);
      await compare(deps, account, { isInCase: inCases.has(accountOf(account)) }, ctx);
    }
    ctx.signal.throwIfAborted();
    after = read.after;
    if (after === null) break;
  }
  const totals = custodyAssets.map((asset) => sums.get(asset) ?? { asset, journalUnits: 0n, networkUnits: 0n });
  return { ledger: ledgers.length === 0 ? null : Math.min(...ledgers), totals, differenceUnits };
}

/** A contract that is empty according to the journal has ended, and there are ever more of them. */
function holdsMoneyOfUsers({ place, units }: CustodyBalance): boolean {
  return place === 'wallet' || (place === 'contract' && units !== 0n);
}

function isOfPlatform({ place }: CustodyBalance): boolean {
  return place === 'treasury' || place === 'platform';
}

function accountOf({ place, ownerId, asset }: CustodyBalance): string {
  return differenceOf(custodyDifference({ place, ownerId }, money(0n, asset)).sourceId).account;
}

function added(sum: CustodyTotals | undefined, { asset, units, networkUnits }: ComparedAccount): CustodyTotals {
  return { asset, journalUnits: (sum?.journalUnits ?? 0n) + units, networkUnits: (sum?.networkUnits ?? 0n) + networkUnits };
}

type Known = { readonly isInCase: boolean };

async function compare(deps: Deps, account: ComparedAccount, { isInCase }: Known, ctx: ReportContext): Promise<void> {
  const { ownerId, asset, units, networkUnits } = account;
  const found = custodyDifference(account, money(networkUnits - units, asset));
  if (isInCase) await closeVanished(deps, found.sourceId, ctx);
  if (units === networkUnits) return;
  const userId = ownerId !== null && isId(ownerId, 'usr') ? ownerId : null;
  const marketplaceId = await marketplaceOf(deps, userId);
  await deps.inTransaction((tx) => openDifference(tx, { ...found, marketplaceId, userId }, ctx));
}

async function marketplaceOf({ cases }: Deps, userId: UserId | null): Promise<MarketplaceId> {
  return (userId === null ? undefined : await cases.marketplaceOfUser(userId)) ?? defaultMarketplaceId;
}
