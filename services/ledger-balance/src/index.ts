export { externalAccount } from './domain/accounts.js';
export { byManualRequest } from './domain/reservations.js';
export { ledgerBalance } from './service.js';
export { createAccountDirectory } from './store/account-directory.js';
export { createPoster, type Poster } from './store/poster.js';
export { checkLedger } from './store/check-ledger.js';
export { eventOf } from './use-cases/balance-events.js';
export type { Posting } from './use-cases/ports.js';
