export { type LedgerPayments, ledgerPayments } from './ledger-payments.js';
export {
  type BuildOptions,
  buildLifetimeTransaction,
  buildTreasuryTransaction,
  trustedIn,
  validUntilSeconds,
} from './treasury-operations.js';
