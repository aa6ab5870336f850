export * from './intent.js';
export { intentStore, toIntent, type IntentStore } from './intent-store.js';
export { intentColumns, type IntentRow } from './intent-columns.js';
export { createIntentWorker, type Handler, type IntentWorker, type IntentWorkerLimits, type RunResult } from './intent-worker.js';
export { intentsMigrations } from './migrations.js';
export { insertIntent } from './insert-intent.js';
export { intentMetrics, openIntentsMeasurement } from './open-intents-measurement.js';
export { createStoreIntentOnce, type StoreIntentOnce } from './store-intent-once.js';
export { pruneIntents } from './prune-intents.js';
