import type { Envelope } from '@holdfast/shared/contracts/messages';
import type { MessageId } from '@holdfast/shared/ids';
import { codeOf, type Database, type Statement, type Tx, type WriteRow } from '@holdfast/shared/postgres';
import { LeaseLost, type Ending, type Intent, type Memo } from './intent.js';
import * as sql from './sql.js';

export type OpenIntents = {
  readonly kind: string;
  readonly count: number;
  readonly pastNoReturn: number;
  readonly oldestSeconds: number;
};

/** The rows of the intents. Whatever a lease allows is written only while the lease is held; else it throws LeaseLost. */
export type IntentStore = {
  readonly claimDue: (countMax: number) => Promise<readonly Intent[]>;
  readonly claimOne: (id: string) => Promise<Intent | undefined>;
  /** Which of them are still held. */
  readonly renew: (held: readonly Intent[]) => Promise<ReadonlySet<string>>;
  readonly postpone: (intent: Intent, delayMs: number, memo: Memo) => Promise<void>;
  readonly release: () => Promise<void>;
  readonly note: (tx: Tx, intent: Intent, memo: Memo) => Promise<void>;
  /** Closes with the commit, which fails where the lease is lost. */
  readonly close: (tx: Tx, intent: Intent, outcome: readonly Envelope[]) => void;
  readonly ending: (tx: Tx, id: MessageId) => Promise<Ending | undefined>;
  readonly openOf: (subject: string) => Promise<MessageId | undefined>;
  readonly countOpen: () => Promise<readonly OpenIntents[]>;
};

type Handed = 'saga' | 'sagaRunId' | 'afterEventId';
type IntentRow = Omit<Intent, Handed | 'isFresh'> & { readonly [Field in Handed]: NonNullable<Intent[Field]> | null };
type Options = {
  readonly database: Pick<Database, 'pool' | 'inTransaction'>;
  readonly writeRow: WriteRow;
  readonly owner: string;
  readonly leaseMs: number;
};

export function intentStore({ database, writeRow, owner, leaseMs }: Options): IntentStore {
  const leaseSeconds = leaseMs / 1_000;
  const rowsOf = async <Row extends object>(statement: Statement, parameters: readonly unknown[]): Promise<readonly Row[]> =>
    (await database.pool.query<Row>({ ...statement, values: [...parameters] })).rows;
  return {
    claimDue: async (countMax) => {
      const rows = await rowsOf<IntentRow>(sql.claimDue, [owner, leaseSeconds, countMax]);
      return [...rows].sort((a, b) => a.priority - b.priority).map(toIntent);
    },
    claimOne: async (id) => {
      const [row] = await rowsOf<IntentRow>(sql.claimOne, [owner, leaseSeconds, id]);
      return row === undefined ? undefined : toIntent(row);
    },
    renew: (held) => database.inTransaction((tx) => Promise.resolve(renewed(tx, inOneOrder(held), [owner, leaseSeconds]))),
    postpone: async ({ id, leaseToken }, delayMs, memo) => {
      const rows = await rowsOf(sql.postponeIntent, [id, leaseToken, delayMs / 1_000, JSON.stringify(memo)]);
      if (rows.length === 0) throw new LeaseLost(id);
    },
    release: async () => {
      await database.pool.query(sql.releaseLeases, [owner]);
    },
    ...fencedWrites(writeRow),
    ...reads(rowsOf),
  };
}

/** As everybody does who locks several of them. */
function inOneOrder(held: readonly Intent[]): readonly Intent[] {
  return held.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** One by one, each by its index, and all in one trip; filled with the commit. */
function renewed(tx: Tx, held: readonly Intent[], lease: readonly unknown[]): ReadonlySet<string> {
  const kept = new Set<string>();
  const keep = (rows: readonly { readonly id: string }[]): void => {
    for (const { id } of rows) kept.add(id);
  };
  for (const { id, leaseToken } of held) tx.defer(sql.renewLease, [...lease, id, leaseToken], keep);
  return kept;
}

function fencedWrites(writeRow: WriteRow): Pick<IntentStore, 'note' | 'close'> {
  return {
    note: async (tx, { id, leaseToken }, memo) => {
      const rows = await tx.query(sql.noteMemo, [id, leaseToken, JSON.stringify(memo)]);
      if (rows.length === 0) throw new LeaseLost(id);
    },
    close: (tx, { id, leaseToken }, outcome) => {
      writeRow(tx, sql.holdLeases, [id, leaseToken]);
      writeRow(tx, sql.closeIntents, [id, JSON.stringify(outcome)]);
    },
  };
}

type RowsOf = <Row extends object>(statement: Statement, parameters: readonly unknown[]) => Promise<readonly Row[]>;

function reads(rowsOf: RowsOf): Pick<IntentStore, 'ending' | 'openOf' | 'countOpen'> {
  return {
    ending: async (tx, id) => {
      const [row] = await tx.query<{ readonly outcome: readonly Envelope[] | null }>(sql.findEnding, [id]);
      return row === undefined ? undefined : { outcome: row.outcome ?? undefined };
    },
    openOf: async (subject) => {
      const [row] = await rowsOf<{ readonly id: MessageId }>(sql.findOpenOf, [subject]);
      return row?.id;
    },
    countOpen: () => rowsOf<OpenIntents>({ name: 'count-open-intents', text: sql.countOpen }, []),
  };
}

/** Of a transaction that was to close an intent: what its failure means. */
export function orLeaseLost(error: unknown): never {
  throw codeOf(error) === sql.leaseLostCode ? new LeaseLost(error instanceof Error ? error.message : '') : error;
}

/** Whoever finds an intent does not know what was done for it before. */
function toIntent({ saga, sagaRunId, afterEventId, ...row }: IntentRow): Intent {
  return {
    ...row,
    isFresh: false,
    ...(saga === null ? {} : { saga }),
    ...(sagaRunId === null ? {} : { sagaRunId }),
    ...(afterEventId === null ? {} : { afterEventId }),
  };
}
