import { freePort } from '@holdfast/dev-servers/network';
import type { Environment } from '@holdfast/process/config';
import type { ServiceName } from '@holdfast/contracts/services';
import { urlTo } from './choose-port.js';
import { services } from './services.js';

export const internalHost = '127.0.0.1';

/** Where a process serves its metrics. */
export type MetricsAddress = { readonly process: string; readonly url: string };

/** Where each service will listen. The addresses are chosen before any service starts, because services call each other. */
export type ServiceAddresses = {
  readonly of: (name: ServiceName) => { readonly port: number; readonly url: string };
  readonly urls: Readonly<Partial<Record<ServiceName, string>>>;
  /** The settings with which services find each other: IDENTITY_URL and so on. */
  readonly variables: Environment;
};

export async function chooseServiceAddresses(): Promise<ServiceAddresses> {
  const ports = new Map<string, number>();
  for (const { name } of services) ports.set(name, await freePort());
  const addresses = [...ports].map(([name, port]) => [name, urlTo(internalHost, port)] as const);
  return {
    of: (name) => {
      const port = ports.get(name) ?? 0;
      return { port, url: urlTo(internalHost, port) };
    },
    urls: Object.fromEntries(addresses),
    variables: Object.fromEntries(addresses.map(([name, url]) => [`${name.toUpperCase().replaceAll('-', '_')}_URL`, url])),
  };
}
