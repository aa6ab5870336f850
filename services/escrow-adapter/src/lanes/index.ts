export * from './intent.js';
export { intentStore, orLeaseLost, type IntentStore } from './intent-store.js';
export { closeIntents, holdLeases } from './sql.js';
export { createLane, type Handler, type Lane, type LaneLimits, type RunResult } from './lane.js';
export { createLeases, type Held, type LeaseLimits, type Leases } from './leases.js';
export { createTokenBucket, type TokenBucket } from './token-bucket.js';
