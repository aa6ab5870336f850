export type { NewSagaRun, Outcome, SagaRun } from './saga-run.js';
export { createSettlement, type Settlement, type SettlementOptions } from './settlement.js';
