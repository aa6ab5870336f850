export { operationsMigrations } from './migrations.js';
export { createPerformer, pruneOperations, type Operation, type Perform } from './operations.js';
