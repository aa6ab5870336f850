export { createBackup, readRestoredMark, removeRestoredMark, restoreBackup, restoredNotice } from './backup/index.js';
export { readCommandSettings, type CommandSettings } from './command-settings.js';
export { CannotStart, lockFolder, findRunning, rotateStoredWalletKey, type WalletKeys } from './data-folder/index.js';
export { explain } from './explain.js';
export { findApi, findKey, type Api } from './find-api.js';
export { findService } from './find-service.js';
export { openInstallation, type Installation } from './open-installation.js';
export { refuseForeignFolder, resetData } from './reset-data.js';
