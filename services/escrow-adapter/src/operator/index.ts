// For the commands of operators: nothing here loads what serves.
export { entities } from '../store/schema.js';
export { rotateWalletKeys } from './rotate-wallet-keys.js';
