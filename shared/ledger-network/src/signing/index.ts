export { createSigner, createWalletKeys, type Secrets, type Signing, type SigningDeps } from './create-signer.js';
export type { Role, Sign, SignForTreasury, SigningResult, SigningRole } from './signer.js';
export type { TreasuryPurpose } from './treasury-part.js';
export { platformAccounts, type PlatformAccounts, type PlatformSeeds } from './keys/platform-keys.js';
export type { SealedWallet } from './keys/open-keys.js';
export type { SealedSeed, WalletKeys } from './keys/wallet-keys.js';
