export { withHistory } from './evidence-in-history.js';
export { type TransactionDeps, createTransactions } from './session.js';
export { type SubmissionDeps, type SubmissionLimits, submitAgain, submitFirst } from './submission.js';
export {
  type EndState,
  type NewTransaction,
  type OpenTransaction,
  type RefusedTransaction,
  type Signer,
  type SubmittedTransaction,
  type TransactionResult,
  type TransactionSession,
  type TransactionStore,
  type TransactionWrite,
  type Transactions,
} from './transactions.js';
export { accountInUse } from './source-account.js';
