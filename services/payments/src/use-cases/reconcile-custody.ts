import type { CustodyAsset } from '@holdfast/contracts/messages';
import { pause } from '@holdfast/kernel/async';
import { defaultMarketplaceId, isId, type MarketplaceId, type UserId } from '@holdfast/kernel/ids';
import { money } from '@holdfast/kernel/money';
import { custodyDifference } from '../domain/custody-difference.js';
import type { ReportContext } from './compare-payments.js';
import { openCase } from './open-case.js';
import { readPart } from './unavailable.js';
import type { CustodyBalance, Deps } from './ports.js';

/** An account as both sides see it. */
type Compared = CustodyBalance & { readonly networkUnits: bigint };

export type CustodyTotals = { readonly asset: CustodyAsset; readonly journalUnits: bigint; readonly networkUnits: bigint };

const rechecksMax = 5;

/**
 * Compares the accounts that hold the money of users with the ledger network. A transaction may have landed that the journal does
 * not have yet, so an account that differs is read again. What stays the same is a case.
 */
export async function reconcileCustody(deps: Deps, ctx: ReportContext): Promise<readonly CustodyTotals[]> {
  let compared = await compare(deps, holdsMoneyOfUsers, ctx);
  for (let recheck = 1; recheck <= rechecksMax; recheck += 1) {
    const differing = new Map(compared.filter(differs).map((account) => [keyOf(account), account]));
    if (differing.size === 0) break;
    await pause(deps.settings.recheckAfterMs, ctx.signal);
    // Also a contract that has ended since.
    const again = new Map(
      (await compare(deps, (account) => differing.has(keyOf(account)), ctx)).map((each) => [keyOf(each), each]),
    );
    const unchanged = [...differing.values()].filter((account) => isSame(account, again.get(keyOf(account))));
    compared = compared.map((account) => again.get(keyOf(account)) ?? account);
    if (unchanged.length === differing.size) {
      for (const account of unchanged) await openDifference(deps, account, ctx);
      break;
    }
  }
  return (['USDC', 'XLM'] as const).map((asset) => totalOf(asset, compared));
}

/**
 * Treasury and platform hold the platform's own money, whose beginning is not in the journal. A contract that is empty according
 * to the journal has ended, and there are ever more of them.
 */
function holdsMoneyOfUsers({ place, units }: CustodyBalance): boolean {
  return place === 'wallet' || (place === 'contract' && units !== 0n);
}

async function compare(
  { books }: Deps,
  isWanted: (account: CustodyBalance) => boolean,
  { requestId }: ReportContext,
): Promise<readonly Compared[]> {
  const journal = (await readPart('journal', () => books.custodyBalances(requestId))).filter(isWanted);
  const accounts = new Map(journal.map((account) => [`${account.place}:${account.ownerId ?? ''}`, account]));
  const network = new Map(
    (await readPart('ledgerNetwork', () => books.networkBalances([...accounts.values()], requestId))).map((each) => [keyOf(each), each.units]),
  );
  return journal.map((account) => ({ ...account, networkUnits: network.get(keyOf(account)) ?? 0n }));
}

function keyOf({ place, ownerId, asset }: Omit<CustodyBalance, 'units'>): string {
  return `${place}:${ownerId ?? ''}:${asset}`;
}

function differs({ units, networkUnits }: Compared): boolean {
  return units !== networkUnits;
}

function isSame(one: Compared, other: Compared | undefined): boolean {
  return one.units === other?.units && one.networkUnits === other.networkUnits;
}

async function openDifference(deps: Deps, account: Compared, ctx: ReportContext): Promise<void> {
  const { ownerId, asset, units, networkUnits } = account;
  const userId = ownerId !== null && isId(ownerId, 'usr') ? ownerId : null;
  const found = custodyDifference(account, money(networkUnits - units, asset));
  const marketplaceId = await marketplaceOf(deps, userId);
  await deps.inTransaction((tx) => openCase(tx, { ...found, marketplaceId, userId }, ctx));
}

async function marketplaceOf({ cases }: Deps, userId: UserId | null): Promise<MarketplaceId> {
  return (userId === null ? undefined : await cases.marketplaceOfUser(userId)) ?? defaultMarketplaceId;
}

function totalOf(asset: CustodyAsset, compared: readonly Compared[]): CustodyTotals {
  const ofAsset = compared.filter((account) => account.asset === asset);
  return {
    asset,
    journalUnits: ofAsset.reduce((sum, { units }) => sum + units, 0n),
    networkUnits: ofAsset.reduce((sum, { networkUnits }) => sum + networkUnits, 0n),
  };
}
