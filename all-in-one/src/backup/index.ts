export { createBackup } from './create-backup.js';
export { restoreBackup } from './restore-backup.js';
export { readRestoredMark, removeRestoredMark, restoredNotice, type RestoredMark } from './restored-mark.js';
