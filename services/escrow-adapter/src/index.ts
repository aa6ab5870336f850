export { escrowAdapter } from './service.js';
export { rotateWalletKeys } from './wallets/keys/rotate-wallet-keys.js';
