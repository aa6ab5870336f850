// What the composition builds.
export { connectEscrowProvider } from './connect-escrow-provider.js';
export { connectSandbox } from './connect-sandbox.js';
export { contractTransactions } from './contract-transactions.js';
export { createVersionCheck } from './escrow-contract/check-versions.js';
export { expectationsOf } from './escrow-contract/expectations-of.js';
export { contractNetworkOf } from './escrow-contract/contract-network.js';
export { createGuards, type Guards } from './guards.js';
export { connectUsers } from './known-users.js';
export { openHorizon, openRpc, type Horizon } from './ledger-network.js';
export { createProviderStates } from './provider-states.js';
export { connectTreasury } from './treasury/connect-treasury.js';
