export { CasesPage } from './cases-page.js';
export { ProofPage } from './proof-page.js';
export { ReportsPage } from './reports-page.js';
export { TopupPage } from './topup-page.js';
export { TopupsPage } from './topups-page.js';
export { TreasuryPage } from './treasury-page.js';
export { WithdrawalPage } from './withdrawal-page.js';
export { WithdrawalsPage } from './withdrawals-page.js';
