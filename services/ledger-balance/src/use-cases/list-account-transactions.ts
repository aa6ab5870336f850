import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { UserId } from '@holdfast/kernel/ids';
import type { Currency } from '@holdfast/kernel/money';
import type { AccountPosition, AccountTransaction, Deps } from './ports.js';

export type ListAccountTransactions = {
  readonly userId: UserId;
  readonly page: number;
  readonly limit: number;
  readonly currency?: Currency | undefined;
  readonly asOf?: string | undefined;
};

export type AccountTransactions = {
  readonly items: readonly AccountTransaction[];
  readonly total: number;
  /** The positions up to which the pages reach, in all currencies. */
  readonly asOf: string;
};

/** One page. With the `asOf` of the first page no item is lost or repeated while new ones arrive. */
export async function listAccountTransactions(
  deps: Pick<Deps, 'accountHistory'>,
  { userId, page, limit, currency, asOf }: ListAccountTransactions,
  { caller }: Pick<Context, 'caller'>,
): Promise<AccountTransactions> {
  const current = await deps.accountHistory.positions(caller.marketplaceId, userId);
  const positions = asOf === undefined ? current : positionsAt(asOf, userId, current);
  const wanted = positions.filter((position) => currency === undefined || position.currency === currency);
  const { items, total } = await deps.accountHistory.page(wanted, { limit, offset: (page - 1) * limit });
  return { items, total, asOf: textOf(userId, positions) };
}

/** The user is in the text, so a person cannot continue another person's pages. */
function textOf(userId: UserId, positions: readonly AccountPosition[]): string {
  return [userId, ...positions.map(({ currency, version }) => `${currency}-${version}`)].join('.');
}

/** The positions that a text names. Only a text that we have written for this user passes; new accounts are left out. */
function positionsAt(asOf: string, userId: UserId, current: readonly AccountPosition[]): readonly AccountPosition[] {
  const versions = new Map(asOf.split('.').map(versionIn));
  const positions = current.flatMap((account) => {
    const version = versions.get(account.currency) ?? NaN;
    return version <= account.version ? [{ ...account, version }] : [];
  });
  if (textOf(userId, positions) === asOf) return positions;
  throw new AppError('VALIDATION_ERROR', { validationErrors: ['as_of must be the one that your first page returned'] });
}

function versionIn(part: string): readonly [currency: string, version: number] {
  const [currency = '', version = ''] = part.split('-');
  return [currency, Number(version)];
}
