import { Pool, type Client } from 'pg';
import type { DataSource } from 'typeorm';
import { retry } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import { isReusableAfter, isStaleStatement, toQueryConfig } from './connection.js';
import type { ConnectionPool, PoolUsage, QueryResult } from './database.js';
import { selectValueWith } from './select-value.js';
import { transactionsOn } from './transaction.js';
import { toAppError } from './unavailable.js';

const staleRetries = { attemptsMax: 2, firstDelayMs: 1, shouldRetry: isStaleStatement } as const;

/** A `ConnectionPool` on the pool of a TypeORM data source. */
export function connectionPoolOn(dataSource: DataSource, log: Log): ConnectionPool {
  const pool: ConnectionPool = {
    manager: dataSource.manager,
    inTransaction: transactionsOn({ dataSource, log }),
    query: async <Row>(...[sql, values]: Parameters<ConnectionPool['query']>) => {
      try {
        return await retry(() => queryOnce<Row>(dataSource, toQueryConfig(sql, values)), staleRetries);
      } catch (error) {
        throw toAppError(error);
      }
    },
    selectValue: selectValueWith((sql) => pool.query(sql)),
    withConnection: (work) => withOwnConnection(dataSource, work),
    usage: () => usageOf(dataSource),
  };
  return pool;
}

/** TypeORM documents `master` as the pool of a data source without replication. */
function usageOf({ driver }: DataSource): PoolUsage {
  const pool: unknown = 'master' in driver ? driver.master : undefined;
  if (!(pool instanceof Pool)) return { used: 0, idle: 0, waiting: 0, max: 0 };
  const { totalCount, idleCount, waitingCount, options } = pool;
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: options.max };
}

async function queryOnce<Row>(dataSource: DataSource, config: ReturnType<typeof toQueryConfig>): Promise<QueryResult<Row>> {
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as Client;
  try {
    const { rows, rowCount } = await client.query(config);
    return { rows: rows as readonly Row[], rowCount };
  } catch (error) {
    if (!isReusableAfter(error)) client.end().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

async function withOwnConnection<T>(dataSource: DataSource, work: (client: Client) => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect().catch((error: unknown) => {
    throw toAppError(error);
  })) as Client;
  try {
    return await work(client);
  } finally {
    client.end().catch(() => undefined);
    await runner.release();
  }
}
