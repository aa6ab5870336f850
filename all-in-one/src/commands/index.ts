// What the commands beside an installation use. It loads no server and no service, because the operator image has none.
export { readRestoredMark, restoredNotice } from '../backup/restored-mark.js';
export { readCommandSettings, type CommandSettings } from '../command-settings.js';
export {
  CannotStart,
  lockFolder,
  findRunning,
  isMarked,
  readSecret,
  rotateStoredWalletKey,
  type RunningInstallation,
  type WalletKeys,
} from '../data-folder/index.js';
export { explain } from '../explain.js';
export { findApi } from '../find-api.js';
export { findService } from '../find-service.js';
export { openInstallation, type Installation } from '../open-installation.js';
export { productVersion } from '../product.js';
