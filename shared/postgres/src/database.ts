import type { ClientBase } from 'pg';
import type { EntityManager } from 'typeorm';

/** A prepared statement: each connection parses it once, under its name. */
export type Statement = { readonly name: string; readonly text: string };

/** A statement with its values, as returned by `insertMany` and `updateMany`. */
export type BoundStatement = Statement & { readonly values: readonly unknown[] };

/** Statements without a name are parsed on each execution. */
export type Sql = string | Statement | BoundStatement | Omit<BoundStatement, 'name'>;

export type QueryResult<Row> = { readonly rows: readonly Row[]; readonly rowCount: number | null };

/**
 * One transaction. Statements that are issued without awaiting each other are pipelined by the driver and executed in the order of
 * issue.
 */
export type Tx = {
  readonly query: <Row>(sql: Sql, values?: readonly unknown[]) => Promise<readonly Row[]>;
  /**
   * Issues a statement without awaiting its result. The commit waits for it; if it fails, the transaction is rolled back. `onRows`
   * is called before the commit.
   */
  readonly defer: (sql: Sql, values?: readonly unknown[], onRows?: (rows: readonly never[]) => void) => void;
  readonly manager: EntityManager;
  /** Runs inside the transaction, after the work and before the commit. An error rolls the transaction back. */
  readonly beforeCommit: (work: () => Promise<void>) => void;
  /** Runs after a successful commit. Errors are logged, because the commit has happened. */
  readonly afterCommit: (work: () => void) => void;
};

export type TransactionOptions = {
  readonly isolation?: 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';
};

/** Connections of a service to its schema. All methods throw SERVICE_UNAVAILABLE while the database is unreachable. */
export type ConnectionPool = {
  /** Runs one statement in its own transaction. */
  readonly query: <Row>(sql: Sql, values?: readonly unknown[]) => Promise<QueryResult<Row>>;
  /**
   * The value of a statement that selects one column of at most one row, and has no parameters; undefined if there is no row. Calls of
   * one turn of the event loop are one statement, so they fail together.
   */
  readonly selectValue: <Value>(statement: Statement) => Promise<Value | undefined>;
  /**
   * Runs `work` in a transaction. It is retried a limited number of times on serialization failures and deadlocks, so it must have
   * no effect outside the transaction. `OutcomeUnknown` if the connection is lost before the server has responded to COMMIT.
   */
  readonly inTransaction: <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) => Promise<T>;
  /** Runs `work` with a dedicated connection and closes it afterwards, which releases its session locks. */
  readonly withConnection: <T>(work: (client: ClientBase) => Promise<T>) => Promise<T>;
  readonly manager: EntityManager;
  readonly usage: () => PoolUsage;
};

/** The connections of a pool, and the requests that wait for one. */
export type PoolUsage = { readonly used: number; readonly idle: number; readonly waiting: number; readonly max: number };

/** The schema of a service, accessed with a role that may only read and write rows. */
export type Database = {
  /** Statements name tables without the schema, because it is the role's search path. */
  readonly schema: string;
  /** For requests and messages: lookups by key and transactions. */
  readonly pool: ConnectionPool;
  /** For lists, jobs and ledger checks, so that they never take connections from `pool`. */
  readonly lists: ConnectionPool;
  /** The same as `pool.inTransaction`. */
  readonly inTransaction: ConnectionPool['inTransaction'];
  /** For readiness checks; rejects at its timeout. */
  readonly ping: () => Promise<void>;
  readonly close: () => Promise<void>;
};
