export { createBackup, readRestoredMark, removeRestoredMark, restoreBackup } from './backup/index.js';
export { readCommandSettings } from './command-settings.js';
export { CannotStart, findRunning } from './data-folder/index.js';
export { findApi, findKey, type Api } from './find-api.js';
export { refuseForeignFolder, resetData } from './reset-data.js';
