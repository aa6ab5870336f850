// For the commands of operators: nothing here loads what serves.
export { rotateWalletKeys } from '../wallets/keys/rotate-wallet-keys.js';
