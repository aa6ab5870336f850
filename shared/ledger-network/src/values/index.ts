export { type LedgerTransfer, transferMismatch } from './transfers.js';
export type { Payment, Spent, TreasuryOperation } from './operations.js';
export { type Holder, reservedUnitsOf, spendableUnits } from './spendable.js';
export { lifeIsOver, lifeIsShort } from './entry-life.js';
export { isAmount, textOfUnits, unitsOfText } from './amounts.js';
export { ProviderRefused } from './provider-refused.js';
export { type LedgerOperation, type Transfer, withMerged } from './ledger-operation.js';
