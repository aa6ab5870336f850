import { findKey } from '@holdfast/all-in-one';
import { processEnvironment } from '@holdfast/process/config';
import { runCommand } from './command/run-command.js';

/** `npm run key`: prints the key of the banner again, running or not. */
await runCommand(() => {
  console.log(findKey(processEnvironment()));
  return Promise.resolve(0);
});
