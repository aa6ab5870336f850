import type { Environment } from '@holdfast/process/config';
import { urlTo } from './choose-port.js';
import type { StartupContext } from './startup-context.js';

export const publicUrlVariable = 'PUBLIC_URL';

/** The address of the API for browsers, as a setting of the services: the given one, or the one that the API listens on. */
export function publicUrlVariables({ config, port }: Pick<StartupContext, 'config' | 'port'>): Environment {
  return { [publicUrlVariable]: config.publicUrl ?? urlTo(config.host, port) };
}
