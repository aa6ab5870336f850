import { services, type ServiceName } from '@holdfast/contracts/services';
import { urlSetting, type Setting } from './setting.js';

/** Where another service answers. By default on this machine, on its usual port. */
export function serviceUrlSetting(name: ServiceName): Setting<string> {
  return urlSetting({
    description: `URL of ${name}`,
    protocols: ['http', 'https'],
    default: `http://127.0.0.1:${services[name].port}`,
  });
}
