export {
  createEmergencyStop,
  emergencyStopped,
  stopHandler,
  uncountedWhileStopped,
  type EmergencyStop,
  type EmergencyStopOptions,
  type StopHandler,
} from './provider-controls/emergency-stop.js';
export * from './intent.js';
export { intentStore, toIntent, type IntentStore } from './intent-store.js';
export { intentColumns, type IntentRow } from './intent-columns.js';
export { createIntentWorker, type Handler, type IntentWorker, type IntentWorkerLimits, type RunResult } from './intent-worker.js';
export { createLeases, LeaseTimedOut, type LeaseHandle, type LeaseLimits, type Leases } from './leases/leases.js';
export { intentsMigrations } from './migrations.js';
export { insertIntent } from './insert-intent.js';
export { intentMetrics, openIntentsMeasurement } from './open-intents-measurement.js';
export { createStoreIntentOnce, type StoreIntentOnce } from './store-intent-once.js';
export { providerEventRetentionDays } from './provider-controls/provider-event-retention.js';
export { pruneIntents } from './prune-intents.js';
export { createProviderBudget, type BudgetCall, type ProviderBudget } from './provider-controls/provider-budget.js';
export {
  createSpendingCap,
  spendingMetrics,
  type SpendingCap,
  type SpendingCapOptions,
} from './provider-controls/spending-cap.js';
