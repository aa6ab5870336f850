export { ledgerBalance } from './service.js';
export { proveBooks } from './store/prove-books.js';
export type { Discrepancy, LedgerProof } from './use-cases/ports.js';
