export { type LedgerPayments, ledgerPayments } from './ledger-payments.js';
export { ownTransactionsValidMs } from './own-transactions.js';
export { type BuildOptions, buildLifetimeTransaction, buildTreasuryTransaction, trustedIn } from './treasury-operations.js';
