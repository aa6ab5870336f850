export {
  type EmergencyStop,
  type StopHandler,
  createEmergencyStop,
  emergencyStopped,
  isStopStored,
  stopHandler,
  uncountedWhileStopped,
} from './emergency-stop.js';
export { type SpendingCap, createSpendingCap, spendingMetrics } from './spending-cap.js';
export { type BudgetCall, type BudgetLimits, type ProviderBudget, createProviderBudget } from './provider-budget.js';
