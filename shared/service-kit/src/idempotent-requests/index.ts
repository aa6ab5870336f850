export { idempotentRequestsMigrations } from './migrations.js';
export { createPerformer, pruneIdempotentRequests, type IdempotentRequest, type Perform } from './idempotent-requests.js';
