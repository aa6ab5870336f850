// What the composition builds.
export { assertSameInstallation } from './assert-same-installation.js';
export { contractStore } from './contract-store.js';
export { custodyAddresses, platformPlaces } from './custody-addresses.js';
export { claimedTopic } from './watcher-store.js';
export { custodyStores } from './custody-stores.js';
export { eventSubjects } from './event-subject.js';
export { expectedTransfersIn } from './expected-transfer-store.js';
export { linkedWalletStore } from './linked-wallet-store.js';
export { messagePublishers } from './publish-message.js';
export { caseResolvedHandler } from './quarantine-store.js';
export { resolutionStore } from './resolution-store.js';
export { entities } from './schema.js';
export { sweepStore } from './sweep-store.js';
export { transactionStore } from './transaction-store.js';
export { treasuryStore } from './treasury-store.js';
export { addressForIntents, walletDirectory, walletPreparation } from './wallet-directory.js';
export { uncreditedStore } from './uncredited-store.js';
export { walletStore } from './wallet-store.js';
