import type { Pool } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

/** One transaction: raw statements and the mapper share its connection. */
export type Tx = {
  readonly query: <Row>(sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>;
  readonly manager: EntityManager;
  /** Runs after a successful commit, never after a rollback. */
  readonly afterCommit: (work: () => void) => void;
};

/** One service's own schema, logged in as the service's own role. */
export type Database = {
  /** The service's schema: tables are named without it, the role's search path finds them. */
  readonly schema: string;
  /** The pool itself, for the paths that are written in SQL for speed. */
  readonly pool: Pool;
  readonly dataSource: DataSource;
  /** Commits what `work` did, or nothing. Repeats it, a bounded number of times, on serialization failures and deadlocks. */
  readonly inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Answers within its time limit or throws; for readiness. */
  readonly ping: () => Promise<void>;
  readonly close: () => Promise<void>;
};
