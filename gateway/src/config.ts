import {
  choiceSetting,
  durationMsSetting,
  portSetting,
  secretSetting,
  textSetting,
  urlSetting,
  type Setting,
} from '@holdfast/shared/config';
import { services, type ServiceName } from '@holdfast/shared/contracts/services';
import { logLevels } from '@holdfast/shared/observability';
import { z } from 'zod';

export const settings = z.object({
  host: textSetting({ description: 'The address the gateway listens on', default: '0.0.0.0' }),
  port: portSetting({ description: 'The port the gateway listens on', default: 8080 }),
  operationsHost: textSetting({ description: 'The address of the port for operators', default: '127.0.0.1' }),
  operationsPort: portSetting({
    description: 'The port for /livez, /readyz and /metrics, apart from the public one',
    default: 8079,
  }),
  masterKey: secretSetting({ description: 'The key with every scope' }),
  internalSecret: secretSetting({ description: 'Shared with the services: signs the caller' }),
  ledgerBalanceUrl: serviceUrl('ledger-balance'),
  proxyTimeoutMs: durationMsSetting({
    description: 'How long a service may take to answer; longer than SETTLEMENT_TIMEOUT_MS',
    default: 75_000,
  }),
  logLevel: choiceSetting(logLevels, { description: 'How much is logged', default: 'info' }),
});

export type Settings = z.output<typeof settings>;

/** Where each service is found. One without an address cannot be reached. */
export type ServiceUrls = Readonly<Partial<Record<ServiceName, string>>>;

export function serviceUrlsOf({ ledgerBalanceUrl }: Settings): ServiceUrls {
  return { 'ledger-balance': ledgerBalanceUrl };
}

function serviceUrl(name: ServiceName): Setting<string> {
  return urlSetting({
    description: `Where the gateway finds ${name}`,
    protocols: ['http', 'https'],
    default: `http://127.0.0.1:${services[name].port}`,
  });
}
