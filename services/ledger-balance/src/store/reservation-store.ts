import type { ReservationRecord } from '@holdfast/contracts/http';
import type { UserId } from '@holdfast/kernel/ids';
import { formatUnits, type Currency } from '@holdfast/kernel/money';
import type { PageFilter } from '@holdfast/kernel/pages';
import { createdWithin, newestOf, queryPage, type Database, type KeysetList } from '@holdfast/postgres';
import { accounts, reservations, type ReservationRow } from './schema.js';

/** Active reservations in all currencies, newest first. Undefined if the cursor is not an item of this list. */
export async function readReservations(
  { lists }: Pick<Database, 'lists'>,
  userId: UserId,
  filter: PageFilter,
): Promise<readonly ReservationRecord[] | undefined> {
  const found = await lists.manager.findBy(accounts.entity, { owner: userId, kind: 'user' });
  const currencies = new Map(found.map(({ id, currency }) => [id, currency as Currency]));
  const list = activeReservations([...currencies.keys()], filter);
  const rows = await queryPage<ReservationRow>(lists, list, filter);
  return rows?.map((row) => toRecord(row, currencies));
}

/** That a reservation is active is a filter and not the scope, because the cursor's reservation may be used up by now. */
function activeReservations(accountIds: readonly bigint[], filter: PageFilter): KeysetList {
  return {
    ...newestOf(reservations),
    scope: [{ column: 'account_id', operator: '= any', value: accountIds }],
    filters: [{ column: 'active_units', operator: '>', value: 0n }, ...createdWithin('created_at', filter)],
  };
}

function toRecord(row: ReservationRow, currencies: ReadonlyMap<bigint, Currency>): ReservationRecord {
  const { id, accountId, kind, subjectId, activeUnits, createdAt } = row;
  const currency = currencies.get(accountId);
  if (currency === undefined) throw new Error(`the account of ${id} was not read`);
  return { id, kind, orderId: kind === 'order' ? subjectId : null, amount: formatUnits(activeUnits), currency, createdAt };
}
