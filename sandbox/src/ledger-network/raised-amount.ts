import { formatUnits, parseUnits } from '../domain/units.js';
import { receiverOf, type ListedRecord } from './listed-record.js';

/** The field with what has arrived, by the type of a payment or of an effect. */
const amountFields: Readonly<Record<string, string>> = {
  payment: 'amount',
  path_payment_strict_send: 'amount',
  path_payment_strict_receive: 'amount',
  create_account: 'starting_balance',
  account_created: 'starting_balance',
  account_credited: 'amount',
};
const factor = 10n;

/** The record with ten times its amount; undefined where nothing has arrived, or not at the address. */
export function withRaisedAmount(record: ListedRecord, address: string | undefined): ListedRecord | undefined {
  const { transaction_successful: isSuccessful = true, asset_balance_changes: changes, type } = record;
  if (isSuccessful !== true) return undefined;
  if (Array.isArray(changes)) return withRaisedChanges(record, changes, address);
  const field = amountFields[String(type)];
  if (field === undefined || (address !== undefined && receiverOf(record) !== address)) return undefined;
  return { ...record, [field]: raised(record[field]) };
}

type Change = { readonly to?: unknown; readonly amount?: unknown };

function withRaisedChanges(record: ListedRecord, changes: readonly Change[], address?: string): ListedRecord | undefined {
  const struck = changes.find(({ to }) => to !== undefined && (address === undefined || to === address));
  if (struck === undefined) return undefined;
  const shown = changes.map((change) => (change === struck ? { ...change, amount: raised(change.amount) } : change));
  return { ...record, asset_balance_changes: shown };
}

function raised(amount: unknown): string {
  return formatUnits((parseUnits(String(amount)) ?? 0n) * factor);
}
