import { services, type ServiceName } from '@holdfast/contracts/services';
import { urlSetting, type Setting } from './setting.js';

/** The URL of another service. The default is its default port on this machine. */
export function serviceUrlSetting(name: ServiceName): Setting<string> {
  return urlSetting({
    description: `URL of ${name}`,
    protocols: ['http', 'https'],
    default: `http://127.0.0.1:${services[name].port}`,
  });
}
