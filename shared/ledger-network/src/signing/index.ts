export { type Role, type Sign, type SignForTreasury, type SignerDeps, type SigningRole, createSigner } from './signer.js';
export { type PlatformAccounts, type PlatformKeys, platformKeys } from './keys/platform-keys.js';
export { masterKeys } from './keys/master-keys.js';
export { openKeys } from './keys/open-keys.js';
export { createWalletKeys } from './create-signer.js';
export { signHash } from './keys/ed25519.js';
export { type SealedSeed, type WalletKeys, openWalletKey } from './keys/wallet-keys.js';
