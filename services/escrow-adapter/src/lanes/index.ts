export * from './intent.js';
export { closeAll, intentStore, toIntent, type ClosedIntent, type IntentStore } from './intent-store.js';
export { intentColumns, type IntentRow } from './intent-columns.js';
export { createLane, type Handler, type Lane, type LaneLimits, type RunResult } from './lane.js';
export { createLeases, type Held, type LeaseLimits, type Leases } from './leases.js';
export { createTokenBucket, type TokenBucket } from './token-bucket.js';
