export { CannotStart, reasonOf } from './cannot-start.js';
export { lockFolder, findRunning, type RunningInstallation, type RunMode } from './folder-lock.js';
export { openDataFolder, pathsIn, type DataFolder } from './data-folder.js';
export {
  loadSecrets,
  readSecret,
  secretFileNames,
  secretsKept,
  secretVariableNames,
  secretVariables,
  type Secrets,
} from './secrets.js';
export { rotateStoredWalletKey, type WalletKeys } from './wallet-key.js';
export { isMarked, markerName } from './version.js';
