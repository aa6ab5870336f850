// For the commands of operators: nothing here loads what serves.
export { entities } from '../store/schema.js';
export { rotateWalletKeys } from '../wallets/keys/rotate-wallet-keys.js';
