export * from './intent.js';
export { intentStore, type IntentStore } from './intent-store.js';
export { createLane, type Handler, type Lane, type LaneLimits, type RunResult } from './lane.js';
export { createLeases, type Held, type Leases } from './leases.js';
export { createTokenBucket, type TokenBucket } from './token-bucket.js';
