export * from './intent.js';
export { closeAll, intentStore, toIntent, type ClosedIntent, type IntentStore } from './intent-store.js';
export { intentColumns, type IntentRow } from './intent-columns.js';
export { createIntentWorker, type Handler, type IntentWorker, type IntentWorkerLimits, type RunResult } from './intent-worker.js';
export { createLeases, type LeaseHandle, type LeaseLimits, type Leases } from './leases.js';
export { intentsMigrations } from './migrations.js';
export { createTokenBucket, type TokenBucket } from './token-bucket.js';
