import type { Pool } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

/** SQL that runs so often that it pays to have each connection parse and plan it only once. */
export type Statement = { readonly name: string; readonly text: string };

/**
 * One transaction: raw statements and the mapper share its connection. Statements that are asked for in the same breath share a
 * trip to the server, which carries them out in the order of their asking.
 */
export type Tx = {
  readonly query: <Row>(sql: string | Statement, parameters?: readonly unknown[]) => Promise<readonly Row[]>;
  /**
   * For a statement whose answer the work does not wait for: it goes out with the next one, at the latest with the commit, and
   * saves a trip. If it fails everything is rolled back. `onRows`, which knows the rows' type, hears its answer
   * before anything after the commit does.
   */
  readonly defer: (sql: string | Statement, parameters: readonly unknown[], onRows?: (rows: readonly never[]) => void) => void;
  readonly manager: EntityManager;
  /** Runs inside the transaction, after the work and before the commit. What it throws rolls everything back. */
  readonly beforeCommit: (work: () => Promise<void>) => void;
  /** Runs after a successful commit, never after a rollback. What it throws is logged: the commit has happened. */
  readonly afterCommit: (work: () => void) => void;
};

export type TransactionOptions = { readonly isolation?: 'read committed' | 'serializable' };

/** One service's own schema, logged in as the service's own role. */
export type Database = {
  /** The service's schema: tables are named without it, the role's search path finds them. */
  readonly schema: string;
  /** The pool itself, for the paths that are written in SQL for speed. */
  readonly pool: Pool;
  readonly dataSource: DataSource;
  /**
   * Commits what `work` did, or nothing. Repeats it, a bounded number of times, on serialization failures and deadlocks, so
   * `work` must have no effect outside the transaction. SERVICE_UNAVAILABLE when the database does not answer.
   */
  readonly inTransaction: <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) => Promise<T>;
  /** Answers within its time limit or throws; for readiness. */
  readonly ping: () => Promise<void>;
  readonly close: () => Promise<void>;
};
