export { CannotStart, reasonOf } from './cannot-start.js';
export { removeDurably, writeDurably } from './files.js';
export { lockFolder, findRunning, isLockFile, type RunningInstallation, type RunMode } from './folder-lock.js';
export { createFolder, openDataFolder, pathsIn, type DataFolder } from './data-folder.js';
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
export { dataVersion, isMarked, isNewer, markerName } from './version.js';
