import { choiceSetting, durationMsSetting, portSetting, secretSetting, textSetting, urlSetting } from '@holdfast/shared/config';
import { existingServices, services, type ServiceName } from '@holdfast/shared/contracts/services';
import { logLevels } from '@holdfast/shared/observability';
import { z } from 'zod';

export const gatewaySettings = z.object({
  host: textSetting({ description: 'The address the gateway listens on', default: '0.0.0.0' }),
  port: portSetting({ description: 'The port the gateway listens on', default: 8080 }),
  operationsHost: textSetting({ description: 'The address of the port for operators', default: '127.0.0.1' }),
  operationsPort: portSetting({
    description: 'The port for /livez, /readyz and /metrics, apart from the public one',
    default: 8079,
  }),
  masterKey: secretSetting({ description: 'The key with every scope' }),
  internalSecret: secretSetting({ description: 'Shared with the services: signs the caller' }),
  proxyTimeoutMs: durationMsSetting({
    description: 'How long a service may take to answer; longer than SETTLEMENT_TIMEOUT_MS',
    default: 75_000,
  }),
  logLevel: choiceSetting(logLevels, { description: 'How much is logged', default: 'info' }),
});

/** Where each service is found: LEDGER_BALANCE_URL and so on. */
export const serviceUrlSettings = z.object(
  Object.fromEntries(
    existingServices.map((name) => {
      const port = services[name].port;
      const url = {
        description: `Where the gateway finds ${name}`,
        protocols: ['http', 'https'],
        default: `http://127.0.0.1:${port}`,
      };
      return [urlVariable(name), urlSetting(url)];
    }),
  ),
);

export type ServiceUrls = Readonly<Partial<Record<ServiceName, string>>>;

export function serviceUrlsOf(settings: z.output<typeof serviceUrlSettings>): ServiceUrls {
  return Object.fromEntries(existingServices.map((name) => [name, settings[urlVariable(name)]]));
}

function urlVariable(name: ServiceName): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_URL`;
}
