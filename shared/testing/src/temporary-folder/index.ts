/** @public Loaded by jest-global-setup.cjs. */
export { makeMemoryFolder, removeFolder } from './memory-folder.js';
