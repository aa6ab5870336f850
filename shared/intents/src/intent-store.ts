import type { Instant } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import type { MessageId, SagaRunId } from '@holdfast/kernel/ids';
import type { BoundStatement, Database, Tx } from '@holdfast/postgres';
import { lockRuns } from '@holdfast/sagas/runs';
import { readNextDue } from '@holdfast/work';
import type { IntentRow } from './intent-columns.js';
import { LeaseLost, type EarlierEffect, type Intent, type IntentLease, type NewIntent, type WorkerState } from './intent.js';
import * as sql from './intent-sql.js';
import { insertIntentOnce } from './new-intent-sql.js';

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
  /** A plain insert or update of one table, in the same statement: the change of what the intent acts on. */
  readonly change?: BoundStatement;
};

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
  /** Closes the intent and locks its row. The commit contains the replies in the outbox. */
  readonly close: (tx: Tx, lease: IntentLease, closed: ClosedIntent) => Promise<void>;
  /** What the message has had as an effect. Locks its saga run first, because an abort of it may not be committed yet. */
  readonly findEarlier: (tx: Tx, message: Pick<Envelope, 'id' | 'sagaRunId'>) => Promise<EarlierEffect>;
  /**
   * Stores the intent of a message with its inbox row. Undefined if the message was handled before. With `isClaimed` this process
   * holds the lease from the commit on, and must run it.
   */
  readonly insertOnce: (tx: Tx, consumer: string, intent: NewIntent, isClaimed: boolean) => Promise<Intent | undefined>;
  /** Returns the ids of those that are closed. */
  readonly findClosed: (ids: readonly string[]) => Promise<readonly string[]>;
  /** Whether an intent of the saga run was stored, open or closed. */
  readonly existsForRun: (tx: Tx, sagaRunId: SagaRunId) => Promise<boolean>;
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
    close: async (tx, { id, leaseToken }, { replies, at, change }) => {
      const rows = await tx.query(sql.closeIntent([id, leaseToken, at, JSON.stringify(replies)], change));
      if (rows.length === 0) throw new LeaseLost(id);
    },
    findEarlier,
    insertOnce: async (tx, consumer, intent, isClaimed) => {
      const lease = isClaimed ? { owner, seconds: leaseSeconds } : undefined;
      return (await tx.query<IntentRow>(insertIntentOnce(consumer, intent, lease))).map(toIntent)[0];
    },
    findClosed: async (ids) => (await pool.query<IdRow>(sql.findClosed, [ids])).rows.map(({ id }) => id),
    existsForRun: async (tx, sagaRunId) => (await tx.query(sql.findOfRun, [sagaRunId])).length > 0,
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

type EarlierRow = {
  readonly isStored: boolean;
  readonly replies: readonly Envelope[] | null;
  readonly abortReplies: string | null;
};

async function findEarlier(tx: Tx, { id, sagaRunId }: Pick<Envelope, 'id' | 'sagaRunId'>): Promise<EarlierEffect> {
  const locking = lockRuns(tx, sagaRunId === undefined ? [] : [sagaRunId]);
  const [, rows] = await Promise.all([locking, tx.query<EarlierRow>(sql.findEarlier, [id, sagaRunId ?? null])]);
  const { isStored = false, replies = null, abortReplies = null } = rows[0] ?? {};
  // An intent outlives its inbox row, which is pruned.
  if (isStored) return { isStored, replies: replies ?? undefined };
  return { isStored, replies: abortReplies === null ? undefined : (JSON.parse(abortReplies) as readonly Envelope[]) };
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
