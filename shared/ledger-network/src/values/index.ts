export { type LedgerTransfer, transferMismatch } from './transfers.js';
export { type Payment, type Spent } from './payment.js';
export { type TreasuryOperation } from './treasury-operation.js';
export { type Holder, reservedUnitsOf, spendableUnits } from './spendable.js';
export { lifeIsOver, lifeIsShort } from './entry-life.js';
export { isAmount, textOfUnits, unitsOfText } from './amounts.js';
export { ProviderRefused } from './provider-refused.js';
export { type LedgerOperation, type Transfer, withMerged } from './ledger-operation.js';
