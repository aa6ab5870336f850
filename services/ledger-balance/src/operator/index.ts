// For the commands of operators: nothing here loads what serves.
export { checkLedger } from '../store/check-ledger.js';
export type { LedgerReport } from '../use-cases/ports.js';
