import type { Log } from '@holdfast/kernel/context';
import { printLast } from '../lifecycle/index.js';
import { ConfigError } from './read-config.js';

/** For main files: settings that cannot be used are reported in words, anything else with its stack. */
export function reportFailedStart(error: unknown, log: Log, print = printLast): void {
  if (error instanceof ConfigError) print(error.message);
  else log.error({ error }, 'could not start');
}
