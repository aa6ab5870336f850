export { ledgerBalance } from './service.js';
export { proveBooks } from './store/prove-books.js';
export type { LedgerProof } from './use-cases/ports.js';
