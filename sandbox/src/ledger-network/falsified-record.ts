import type { Faults } from '../control/faults.js';

type ListedRecord = { readonly paging_token: string } & Readonly<Record<string, unknown>>;

/** The list as it is, unless a fault of the history strikes. Empty lists have no record to falsify and use up no fault. */
export function withFalsifiedRecord(faults: Faults, records: readonly ListedRecord[]): readonly ListedRecord[] {
  if (records.length === 0) return records;
  const kinds = ['malformed', 'unknown-operation'] as const;
  const fault = faults.take({ target: 'ledger-network', operation: 'history', kinds, isNamed: true });
  if (fault === undefined) return records;
  const struck = Math.max(
    0,
    records.findIndex((record) => receiverOf(record) !== undefined),
  );
  const falsify = fault.kind === 'malformed' ? malformed : unknownOperation;
  return records.map((record, index) => (index === struck ? falsify(record) : record));
}

/** What identifies a record and its transaction. A follower needs it to go on. */
const identity: readonly string[] = [
  '_links',
  'id',
  'paging_token',
  'type',
  'type_i',
  'created_at',
  'source_account',
  'transaction_hash',
  'transaction_successful',
  'transaction',
];

function malformed(record: ListedRecord): ListedRecord {
  const entries = Object.entries(record).map(([name, value]) => [name, identity.includes(name) ? value : { value }] as const);
  return { ...Object.fromEntries(entries), paging_token: record.paging_token };
}

function unknownOperation(record: ListedRecord): ListedRecord {
  const kept = Object.entries(record).filter(([name]) => identity.includes(name));
  const { paging_token } = record;
  const beneficiary = receiverOf(record) ?? record['source_account'];
  return { ...Object.fromEntries(kept), paging_token, type: 'bestow_balance', type_i: 127, beneficiary };
}

/** The account that a record names as the one that gets something. */
function receiverOf(record: ListedRecord): unknown {
  const { to, into, account, claimants, asset_balance_changes: changes } = record;
  return to ?? into ?? account ?? fieldOf(claimants, 'destination') ?? fieldOf(changes, 'to');
}

function fieldOf(list: unknown, name: string): unknown {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return isRecord(first) ? first[name] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
