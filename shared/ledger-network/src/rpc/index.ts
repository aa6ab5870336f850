export {
  type AccountBalances,
  type BalanceChange,
  type Evidence,
  type FoundChanges,
  type Held,
  type InclusionFees,
  type EntryKey,
  type LedgerEntry,
  type LedgerRpc,
  type LookUp,
  type LifetimeChange,
  type OperationChanges,
  type SoughtTransaction,
  type SignedTransaction,
  type StoredTransaction,
  rpcOperations,
  type Submission,
  type TokenHolder,
} from './ledger-rpc-port.js';
export { type TokenContracts, tokenContracts } from './token-contracts.js';
export { createLedgerRpc } from './ledger-rpc.js';
export { WrongNetwork } from './rpc-client.js';
export { balanceKey, balanceUnitsIn, codeKey, dataKey } from './contract-entries.js';
export { type SpendingKeys, spendableIn, spendingKeysOf } from './account-entries.js';
export { entryKey } from './ledger-entries.js';
export { plainValue } from './plain-values.js';
export { lifetimeOperation } from './lifetimes.js';
