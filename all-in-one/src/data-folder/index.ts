export { CannotStart, reasonOf } from './cannot-start.js';
export { claimFolder, findRunning, type RunningInstallation, type WayToRun } from './claim.js';
export { openDataFolder, placesIn, type DataFolder } from './data-folder.js';
export {
  keepSecrets,
  readSecret,
  secretFileNames,
  secretsKept,
  secretVariableNames,
  secretVariables,
  type Secrets,
} from './secrets.js';
export { rotateKeptWalletKey, type WalletKeys } from './wallet-key.js';
export { isMarked, markerName } from './version.js';
