export { insertNew, memoryTables, type MemoryTables, type MemoryTx } from './memory-tables.js';
export { listNewest } from './list-newest.js';
export { memoryOutbox, type MemoryOutbox, type OutboxTables } from './memory-outbox.js';
export { backoffMs, memoryRuns, type MemoryRuns, type MemoryRunsOptions, type RunTables } from './memory-runs.js';
export { memoryUsers, type MemoryUsers, type UserTables } from './memory-users.js';
export { refusalOf } from './refusal-of.js';
export type { PortFactsOf, TestedPorts } from './tested-ports.js';
export { trackDeliveries } from './track-deliveries.js';
