import { activeTraceparent } from '@holdfast/observability';
import { insertMany, propertiesBut, singleRow, type Statement } from '@holdfast/postgres';
import { intentColumns, type IntentRow } from './intent-columns.js';
import type { NewIntent } from './intent.js';

type NewIntentRow = Omit<IntentRow, 'workerState' | 'attempts' | 'leaseToken' | 'createdAt'>;

const properties = propertiesBut(intentColumns, ['workerState', 'attempts', 'leaseToken', 'createdAt']);

export const insertIntents = insertMany({
  name: 'insert-intents',
  table: 'intents',
  columns: intentColumns,
  properties,
  // An intent that exists already is the same request.
  suffix: 'on conflict (id) do nothing',
});

/** How the statement that stores an intent finds what the intent acts on. */
export type SubjectSql = {
  /** Distinguishes the prepared statements of a service. */
  readonly name: string;
  /** Selects at most one row. Its column "intentSubject" is the id of the subject. Without a row no intent is stored. */
  readonly select: string;
  /** Inserts the subject itself, from the rows of `stored`: there is one if the intent is new. */
  readonly insert?: string;
  /** The number of parameters of both, which are the first ones. */
  readonly parameters: number;
};

const withoutSubject = propertiesBut(intentColumns, ['subject', 'workerState', 'attempts', 'leaseToken', 'createdAt']);

/**
 * Stores an intent, with its first lease where one is given. It returns no row if the subject was not found, or if another intent is in the way.
 * The message or its run may have one already, or an open one acts on the same subject. It waits for a transaction that stores such an intent.
 * The lease begins after that, and not with the transaction.
 */
export function intentInsertion({ name, select, insert, parameters }: SubjectSql): Statement {
  const given = singleRow(intentColumns, withoutSubject, { parametersBefore: parameters });
  const [owner, token, seconds] = [1, 2, 3].map((position) => `$${(given.lastParameter + position).toString()}`);
  const written = insert === undefined ? '' : `,\n  written as (${insert}\n  )`;
  const text = `
  with subject as (${select}
  ),
  stored as (
    insert into intents (subject, ${given.columns}, lease_owner, lease_token, lease_until)
    select subject."intentSubject",
      ${given.values},
      ${owner}::text,
      ${token}::integer,
      clock_timestamp() + make_interval(secs => ${seconds})
    from subject
    cross join ${given.from}
    on conflict do nothing
    returning created_at
  )${written}
  select subject.*,
    stored.created_at as "storedAt"
  from stored
  cross join subject`;
  return { name: `insert-intent-${name}`, text };
}

/** The first lease of an intent, for the process that stores it. */
export type FirstLease = { readonly owner: string; readonly seconds: number };

const rowWithoutSubject = singleRow(intentColumns, withoutSubject);

/** The parameters of an insertion that follow the ones of its subject. */
export function insertionValues(intent: Omit<NewIntent, 'subject'>, lease: FirstLease | undefined): readonly unknown[] {
  const claimed = lease === undefined ? [null, 0, null] : [lease.owner, 1, lease.seconds];
  return [...rowWithoutSubject.valuesOf(columnValues(intent)), ...claimed];
}

export function toRow({ subject, ...intent }: NewIntent): NewIntentRow {
  return { ...columnValues(intent), subject };
}

function columnValues(given: Omit<NewIntent, 'subject'>): Omit<NewIntentRow, 'subject'> {
  const { subjectPart, saga, sagaRunId, afterEventId, traceparent = activeTraceparent(), ...intent } = given;
  return {
    ...intent,
    subjectPart: subjectPart ?? '',
    saga: saga ?? null,
    sagaRunId: sagaRunId ?? null,
    afterEventId: afterEventId ?? null,
    traceparent: traceparent ?? null,
  };
}
