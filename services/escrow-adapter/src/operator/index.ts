// For the commands of operators: nothing here loads what serves.
export { rotateWalletKeys } from './rotate-wallet-keys.js';
