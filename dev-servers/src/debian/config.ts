import { homedir } from 'node:os';
import path from 'node:path';

/** Where unpacked packages are kept: HOLDFAST_CACHE_DIR, else a folder of this user. */
export function cacheFolder(): string {
  const given = process.env['HOLDFAST_CACHE_DIR']; // eslint-disable-line holdfast/no-process-env -- tests have no configuration of their own
  return given === undefined || given === '' ? path.join(homedir(), '.cache', 'holdfast') : path.resolve(given);
}
