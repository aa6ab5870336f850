import type { PoolClient } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';

/** TypeORM's side of one transaction. Most transactions do without, so it is made when it is asked for. */
export type Mapper = { readonly manager: () => EntityManager; readonly close: () => Promise<void> };

/** It asks by itself, so whatever waits is sent first, by `flush`. */
export function createMapper(dataSource: DataSource, client: PoolClient, flush: () => void): Mapper {
  let runner: QueryRunner | undefined;
  let isClosed = false;
  return {
    manager: () => {
      if (isClosed) throw new Error('The transaction has ended.');
      flush();
      runner ??= runnerOn(dataSource, client);
      return runner.manager;
    },
    close: async () => {
      isClosed = true;
      await runner?.release();
    },
  };
}

/** It is given our connection, which it does not release, and must not believe that it has to begin a transaction. */
function runnerOn(dataSource: DataSource, client: PoolClient): QueryRunner {
  const runner = dataSource.createQueryRunner();
  return Object.assign(runner, { databaseConnection: client, isTransactionActive: true, transactionDepth: 1 });
}
