export { escrowAdapter } from './service.js';
export { rotateWalletKeys, type Rotation } from './wallets/keys/rotate-wallet-keys.js';
