export { createBackup, type Backup } from './create-backup.js';
export { restoreBackup } from './restore-backup.js';
export { readRestoredMark, removeRestoredMark, restoredMarkName, restoredNotice, type RestoredMark } from './restored-mark.js';
