import type { Fault, Faults } from '../control/faults.js';
import { receiverOf, type ListedRecord } from './listed-record.js';
import { withRaisedAmount } from './raised-amount.js';

/** The list as it is, unless a fault of the history strikes. Lists without a record to falsify use up no fault. */
export function withFalsifiedRecord(faults: Faults, records: readonly ListedRecord[]): readonly ListedRecord[] {
  if (records.length === 0) return records;
  const kinds = ['malformed', 'unknown-operation', 'raised-amount'] as const;
  const fits = (fault: Fault): boolean => struckBy(fault, records) !== undefined;
  const fault = faults.take({ target: 'ledger-network', operation: 'history', kinds, isNamed: true, fits });
  if (fault === undefined) return records;
  const struck = struckBy(fault, records);
  return records.map((record) => (record === struck ? falsified(fault, record) : record));
}

/** The first payment for a raised amount, else the first record that names a receiving account, or the first of all. */
function struckBy({ kind, address }: Fault, records: readonly ListedRecord[]): ListedRecord | undefined {
  if (kind === 'raised-amount') return records.find((record) => withRaisedAmount(record, address) !== undefined);
  return records.find((record) => receiverOf(record) !== undefined) ?? records[0];
}

function falsified({ kind, address }: Fault, record: ListedRecord): ListedRecord {
  if (kind === 'raised-amount') return withRaisedAmount(record, address) ?? record;
  return kind === 'malformed' ? malformed(record) : unknownOperation(record);
}

/** What identifies a record and its transaction. A follower needs it to continue. */
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
