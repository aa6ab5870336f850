export * from './database.js';
export { columnTypes } from './column-types.js';
export { deleteInBatches, type OldRows } from './delete-in-batches.js';
export { derivePassword } from './derive-password.js';
export { connectDatabase, openDatabase, type OpenDatabaseOptions } from './open-database.js';
export { RepeatTransaction } from './repeat-transaction.js';
export { forRows } from './rows-of-values.js';
export { roleOf } from './provision-role.js';
export { codeOf, isUnavailable, toAppError } from './unavailable.js';
