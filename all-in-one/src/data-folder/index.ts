export { CannotStart, reasonOf } from './cannot-start.js';
export { findRunning, type Claim, type RunningInstallation } from './claim.js';
export { openDataFolder, placesIn, type DataFolder } from './data-folder.js';
export { keepSecrets, secretFileNames, type Secrets } from './secrets.js';
export { isMarked, markerName } from './version.js';
