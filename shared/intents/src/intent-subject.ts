import type { Instant } from '@holdfast/kernel/context';
import type { BoundStatement, Tx } from '@holdfast/postgres';
import { intentInsertion, type SubjectSql } from './new-intent-sql.js';

/** Runs one statement: in a transaction, or alone, which commits it. */
export type RunStatement = <Row>(statement: BoundStatement) => Promise<readonly Row[]>;

/** What the statement that stores an intent has read. */
type Inserted<Value> = { readonly subject: string; readonly createdAt: Instant; readonly value: Value };

/** What an intent acts on. The statement that stores the intent finds it. */
export type IntentSubject<Value = undefined> = {
  /** The part of it that the intent acts on. Absent: all of it. */
  readonly part?: string;
  /** Locks it first, so that the statement sees what others have committed about it. Then the intent is stored in a transaction. */
  readonly lock?: (tx: Tx) => Promise<unknown>;
  /** Undefined if the subject was not found, or another intent is in the way of this one. */
  readonly insertIntent: (run: RunStatement, intent: readonly unknown[]) => Promise<Inserted<Value> | undefined>;
};

/** The columns that the statement adds to the selected ones. */
export type InsertedRow = { readonly intentSubject: string; readonly storedAt: Instant };

type Given<Row, Value> = Pick<IntentSubject<Value>, 'part' | 'lock'> & {
  /** The parameters of the subject. */
  readonly values: readonly unknown[];
  /** What the run that follows need not read again. */
  readonly toValue: (row: Row & InsertedRow) => Value;
};

/** Subjects that are found in the same way. */
export function intentSubjects<Row>(sql: SubjectSql): <Value>(given: Given<Row, Value>) => IntentSubject<Value> {
  const insertion = intentInsertion(sql);
  return <Value>({ values, toValue, ...options }: Given<Row, Value>) => ({
    ...options,
    insertIntent: async (run, intent) => {
      const [row] = await run<Row & InsertedRow>({ ...insertion, values: [...values, ...intent] });
      return row === undefined ? undefined : { subject: row.intentSubject, createdAt: row.storedAt, value: toValue(row) };
    },
  });
}

const known = intentSubjects({ name: 'on-known-subject', select: '\n    select $1::text as "intentSubject"', parameters: 1 });

/** A subject that is not read. */
export function knownSubject(id: string): IntentSubject {
  return known({ values: [id], toValue: () => undefined });
}
