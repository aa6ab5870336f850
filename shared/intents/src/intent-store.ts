import type { Instant } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import type { MessageId } from '@holdfast/kernel/ids';
import { TransactionConflict, type Database, type Statement, type Tx } from '@holdfast/postgres';
import { readNextDue } from '@holdfast/work';
import type { IntentRow } from './intent-columns.js';
import { LeaseLost, type EarlierEffect, type Intent, type IntentLease, type NewIntent, type WorkerState } from './intent.js';
import * as sql from './intent-sql.js';
import type { IntentSubject, RunStatement } from './intent-subject.js';
import { insertionValues, type FirstLease } from './new-intent-sql.js';

export type OpenIntents = {
  readonly kind: string;
  readonly count: number;
  readonly pastNoReturn: number;
  readonly oldestSeconds: number;
};

/** What a run that did not close the intent leaves: values for the next run, and whether it counts as an attempt. */
export type PostponedRun = { readonly workerState: WorkerState; readonly isCounted: boolean };

export type ClosedIntent = {
  readonly replies: readonly Envelope[];
  readonly at: Instant;
  /** The statement that closes it with a change of what it acts on. */
  readonly with?: ClosingStatement;
};

/** A statement made by `closingWith`, and the parameters of its change. */
export type ClosingStatement = { readonly statement: Statement; readonly values: readonly unknown[] };

/** An intent to store, and whether this process holds its lease from the commit on and must run it. */
export type Insertion<Value> = {
  readonly intent: Omit<NewIntent, 'subject'>;
  readonly subject: IntentSubject<Value>;
  readonly isClaimed: boolean;
};

/** A new intent, with what its statement has read of the subject. */
export type StoredIntent<Value> = { readonly intent: Intent; readonly value: Value };

/** Reads and writes intents. Writes that need a lease throw LeaseLost when it was lost. */
export type IntentStore = {
  readonly leaseMs: number;
  /** Claims due intents without a lease, by priority. */
  readonly claimDue: (countMax: number) => Promise<readonly Intent[]>;
  /** In how many milliseconds an intent is due, or its lease ends; undefined if none is open. */
  readonly nextDueInMs: () => Promise<number | undefined>;
  /** Claims these intents, due or not, unless another process holds them. The caller must not be running any of them. */
  readonly claim: (ids: readonly string[]) => Promise<readonly Intent[]>;
  /** Returns the ids of the leases that are still held. */
  readonly renew: (leases: readonly IntentLease[]) => Promise<ReadonlySet<string>>;
  /** Renews the lease, right before a call outside that has an effect: no other process claims the intent during the call. */
  readonly requireLease: (lease: IntentLease) => Promise<void>;
  readonly postpone: (intent: Intent, delayMs: number, run: PostponedRun) => Promise<void>;
  readonly release: () => Promise<void>;
  readonly saveWorkerState: (tx: Tx, intent: Intent, workerState: WorkerState) => Promise<void>;
  /** Every transaction locks intents before other rows. */
  readonly lock: (tx: Tx, lease: IntentLease) => Promise<void>;
  /**
   * Closes the intent and locks its row. The commit contains the replies in the outbox. Throws TransactionConflict if what the intent acts
   * on could not be changed.
   */
  readonly close: (tx: Tx, lease: IntentLease, closed: ClosedIntent) => Promise<void>;
  /** What the message, or its saga run, has had as an effect before. */
  readonly findEarlier: (message: Pick<Envelope, 'id' | 'sagaRunId'>, tx?: Tx) => Promise<EarlierEffect | undefined>;
  /** Stores the intent with one statement. Undefined if its subject was not found, or another intent is in its way. */
  readonly insertOnce: <Value>(run: RunStatement, insertion: Insertion<Value>) => Promise<StoredIntent<Value> | undefined>;
  /** Stores that the run of this abort command is aborted. False if it has an intent, or was aborted before. */
  readonly insertAbort: (tx: Tx, message: Envelope) => Promise<boolean>;
  readonly saveAbortReplies: (tx: Tx, id: MessageId, replies: readonly Envelope[]) => Promise<void>;
  /** Returns the ids of those that are closed. */
  readonly findClosed: (ids: readonly string[]) => Promise<readonly string[]>;
  readonly findOpen: (subject: string, tx?: Tx) => Promise<MessageId | undefined>;
  /** The parts of the subject that open intents act on; undefined in it is an intent on the whole subject. */
  readonly findOpenParts: (tx: Tx, subject: string) => Promise<readonly (string | undefined)[]>;
  /** Stores values for the next run of the open intent, which is due from now on. Undefined where none is open. */
  readonly requestOfOpen: (
    tx: Tx,
    of: Pick<Intent, 'subject' | 'marketplaceId'>,
    workerState: WorkerState,
  ) => Promise<MessageId | undefined>;
  readonly countOpen: () => Promise<readonly OpenIntents[]>;
};

type Options = {
  readonly database: Pick<Database, 'pool' | 'lists'>;
  readonly owner: string;
  readonly leaseMs: number;
};

export function intentStore({ database, owner, leaseMs }: Options): IntentStore {
  const { pool, lists } = database;
  const leaseSeconds = leaseMs / 1_000;
  const renew: IntentStore['renew'] = async (leases) => {
    const { rows } = await pool.query<IdRow>(sql.renewLeases, [toJson(leases), owner, leaseSeconds]);
    return new Set(rows.map(({ id }) => id));
  };
  return {
    leaseMs,
    claimDue: async (countMax) => {
      const { rows } = await pool.query<IntentRow>(sql.claimDueIntents, [owner, leaseSeconds, countMax]);
      return rows.map(toIntent).toSorted((one, other) => one.priority - other.priority);
    },
    nextDueInMs: () => readNextDue(pool, sql.firstDue),
    claim: async (ids) => (await pool.query<IntentRow>(sql.claimByIds, [owner, leaseSeconds, ids])).rows.map(toIntent),
    renew,
    requireLease: async (lease) => {
      if (!(await renew([lease])).has(lease.id)) throw new LeaseLost(lease.id);
    },
    postpone: async ({ id, leaseToken }, delayMs, { workerState, isCounted }) => {
      const values = [id, leaseToken, delayMs / 1_000, JSON.stringify(workerState), isCounted ? 1 : 0];
      const { rows } = await pool.query(sql.postponeIntent, values);
      if (rows.length === 0) throw new LeaseLost(id);
    },
    release: async () => {
      await pool.query(sql.releaseLeases, [owner]);
    },
    saveWorkerState: async (tx, { id, leaseToken }, workerState) => {
      const rows = await tx.query(sql.saveWorkerState, [id, leaseToken, JSON.stringify(workerState)]);
      if (rows.length === 0) throw new LeaseLost(id);
    },
    lock: async (tx, { id, leaseToken }) => {
      const rows = await tx.query(sql.lockIntent, [id, leaseToken]);
      if (rows.length === 0) throw new LeaseLost(id);
    },
    close,
    insertOnce: (run, insertion) => insertOnce(run, insertion, { owner, seconds: leaseSeconds }),
    ...abortsIn(pool),
    findClosed: async (ids) => (await pool.query<IdRow>(sql.findClosed, [ids])).rows.map(({ id }) => id),
    findOpen: async (subject, tx) => {
      const rows =
        tx === undefined
          ? (await pool.query<IdRow>(sql.findOpenOf, [subject])).rows
          : await tx.query<IdRow>(sql.findOpenOf, [subject]);
      return rows[0]?.id;
    },
    findOpenParts,
    requestOfOpen: async (tx, { subject, marketplaceId }, workerState) =>
      (await tx.query<IdRow>(sql.requestOfOpen, [subject, marketplaceId, JSON.stringify(workerState)]))[0]?.id,
    countOpen: async () => (await lists.query<OpenIntents>(sql.countOpen)).rows,
  };
}

type EarlierRow = Omit<EarlierEffect, 'replies'> & { readonly replies: readonly Envelope[] | null };

const close: IntentStore['close'] = async (tx, { id, leaseToken }, { replies, at, with: closing }) => {
  const values = [id, leaseToken, at, JSON.stringify(replies)];
  const [closed] =
    closing === undefined
      ? await tx.query<ClosedRow>(sql.closeIntent, values)
      : await tx.query<ClosedRow>(closing.statement, [...closing.values, ...values]);
  if (closed?.isHeld !== true) throw new LeaseLost(id);
  if (!closed.isChanged) throw new TransactionConflict(`what intent ${id} acts on is another one by now`);
};

type ClosedRow = { readonly isHeld: boolean; readonly isChanged: boolean };

/** The aborts of saga runs, which are closed intents. */
function abortsIn(pool: Database['pool']): Pick<IntentStore, 'insertAbort' | 'saveAbortReplies' | 'findEarlier'> {
  return {
    insertAbort: async (tx, { id, aggregateId, marketplaceId, correlationId, saga, sagaRunId, occurredAt, payload }) => {
      const values = [id, aggregateId, marketplaceId, correlationId, saga, sagaRunId, occurredAt, JSON.stringify(payload)];
      return (await tx.query(sql.insertAbort, values)).length > 0;
    },
    saveAbortReplies: async (tx, id, replies) => {
      await tx.query(sql.saveAbortReplies, [id, JSON.stringify(replies)]);
    },
    findEarlier: async ({ id, sagaRunId }, tx) => {
      const values = [id, sagaRunId ?? null];
      const rows =
        tx === undefined
          ? (await pool.query<EarlierRow>(sql.findEarlier, values)).rows
          : await tx.query<EarlierRow>(sql.findEarlier, values);
      return rows.map((row) => ({ ...row, replies: row.replies ?? undefined }))[0];
    },
  };
}

async function insertOnce<Value>(
  run: RunStatement,
  { intent, subject, isClaimed }: Insertion<Value>,
  lease: FirstLease,
): Promise<StoredIntent<Value> | undefined> {
  const part = subject.part === undefined ? {} : { subjectPart: subject.part };
  const given = { ...intent, ...part };
  const inserted = await subject.insertIntent(run, insertionValues(given, isClaimed ? lease : undefined));
  if (inserted === undefined) return undefined;
  const { subject: id, createdAt, value } = inserted;
  const fresh = { workerState: {}, attempts: 0, leaseToken: isClaimed ? firstToken : 0, createdAt, isFresh: isClaimed };
  return { intent: { ...given, subject: id, ...fresh }, value };
}

async function findOpenParts(tx: Tx, subject: string): Promise<readonly (string | undefined)[]> {
  const rows = await tx.query<Pick<IntentRow, 'subjectPart'>>(sql.findOpenParts, [subject]);
  return rows.map(({ subjectPart }) => (subjectPart === '' ? undefined : subjectPart));
}

type IdRow = { readonly id: MessageId };

function toJson(leases: readonly IntentLease[]): string {
  return JSON.stringify(leases.map(({ id, leaseToken }) => ({ id, leaseToken })));
}

const firstToken = 1;

export function toIntent({ subjectPart, saga, sagaRunId, afterEventId, traceparent, ...row }: IntentRow): Intent {
  return {
    ...row,
    isFresh: row.leaseToken === firstToken,
    ...(subjectPart === '' ? {} : { subjectPart }),
    ...(saga === null ? {} : { saga }),
    ...(sagaRunId === null ? {} : { sagaRunId }),
    ...(afterEventId === null ? {} : { afterEventId }),
    ...(traceparent === null ? {} : { traceparent }),
  };
}
