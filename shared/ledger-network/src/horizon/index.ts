export { type LedgerAccount, type LedgerNetwork, type SoughtPayments } from './ledger-network.js';
export { type HistoryCall, type HorizonHistory, horizonHistory } from './horizon-history.js';
export { horizonNetwork } from './horizon-network.js';
export { isSharedNetwork } from './shared-network.js';
export { type HistoryEntry, type HistoryPage, type LedgerHistory } from './ledger-history.js';
export { isAccountAddress, isContractAddress } from './addresses.js';
