import type { ClientBase } from 'pg';
import type { EntityManager } from 'typeorm';

/** SQL that runs often: each connection has it parsed once, under its name. */
export type Statement = { readonly name: string; readonly text: string };

/** A statement together with its values, as `insertMany` and `updateMany` make it. */
export type BoundStatement = Statement & { readonly values: readonly unknown[] };

/** Text that runs seldom need not have a name. */
export type Sql = string | Statement | BoundStatement | Omit<BoundStatement, 'name'>;

export type QueryResult<Row> = { readonly rows: readonly Row[]; readonly rowCount: number | null };

/**
 * One transaction. Statements that are issued together, without awaiting each other, are pipelined by the driver and carried out
 * in the order in which they were issued.
 */
export type Tx = {
  readonly query: <Row>(sql: Sql, values?: readonly unknown[]) => Promise<readonly Row[]>;
  /**
   * Issues a statement whose result the work does not wait for. It has succeeded before the commit is sent; if it fails,
   * everything is rolled back. `onRows` is called before anything after the commit.
   */
  readonly defer: (sql: Sql, values?: readonly unknown[], onRows?: (rows: readonly never[]) => void) => void;
  readonly manager: EntityManager;
  /** Runs inside the transaction, after the work and before the commit. What it throws rolls everything back. */
  readonly beforeCommit: (work: () => Promise<void>) => void;
  /** Runs after a successful commit, never after a rollback. What it throws is logged: the commit has happened. */
  readonly afterCommit: (work: () => void) => void;
};

export type TransactionOptions = {
  readonly isolation?: 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';
};

/** Connections of one service to its schema. All of it refuses with SERVICE_UNAVAILABLE while the database cannot be reached. */
export type ConnectionPool = {
  /** One statement, which is a transaction of its own. */
  readonly query: <Row>(sql: Sql, values?: readonly unknown[]) => Promise<QueryResult<Row>>;
  /**
   * Commits what `work` did, or nothing. Repeats it, a bounded number of times, on serialization failures and deadlocks, so
   * `work` must have no effect outside the transaction. `OutcomeUnknown` where nobody knows whether the commit happened.
   */
  readonly inTransaction: <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) => Promise<T>;
  /** Lends a connection of its own and closes it afterwards, and with it whatever locks the session held. */
  readonly withConnection: <T>(work: (client: ClientBase) => Promise<T>) => Promise<T>;
  readonly manager: EntityManager;
};

/** One service's own schema, reached with the role that may read and write it and nothing else. */
export type Database = {
  /** Tables are named without it: the role's search path finds them. */
  readonly schema: string;
  /** For look-ups by key and for whatever a caller waits for. */
  readonly pool: ConnectionPool;
  /** For lists, jobs and proofs, so that they never take the connections of the above. */
  readonly lists: ConnectionPool;
  /** The same as `pool.inTransaction`. */
  readonly inTransaction: ConnectionPool['inTransaction'];
  /** Resolves within its time limit or rejects; for readiness. */
  readonly ping: () => Promise<void>;
  readonly close: () => Promise<void>;
};
