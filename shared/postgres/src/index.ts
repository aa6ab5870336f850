export { lockKey, lockKeys } from './advisory-lock.js';
export * from './database.js';
export {
  columnsOf,
  excludedList,
  insertMany,
  propertiesBut,
  selectList,
  tableOf,
  unnestRows,
  updateMany,
  upsertMany,
  type Columns,
  type ColumnType,
  type Table,
} from './columns.js';
export { joinWrites } from './join-writes.js';
export { commitStatement } from './commit-statement.js';
export { deleteInBatches, type RowsToDelete } from './delete-in-batches.js';
export { connectDatabase, migrateDatabase, openDatabase, type OpenDatabaseOptions } from './open-database.js';
export { lookUpOrCommit } from './look-up-or-commit.js';
export { OutcomeUnknown } from './outcome-unknown.js';
export { TransactionConflict } from './transaction-conflict.js';
export { codeOf } from './sql-state.js';
export { isOutOfResources, isUnavailable, toAppError } from './unavailable.js';
export * from './keyset.js';
