import { fullPathOf, readinessRouteOf } from '@holdfast/contracts/http';
import { serviceNames, type ServiceName } from '@holdfast/contracts/services';
import { callerHeader, type CallerSigner } from '@holdfast/http/caller';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { httpProbe, type Probes } from '@holdfast/process/operations-port';
import type { ServiceUrls } from './config.js';

const caller = { type: 'system', id: 'gateway', marketplaceId: defaultMarketplaceId, scopes: [] } as const;
const isReady = (status: number): boolean => status === 200;

/** Whether each service with a URL reports that it is ready. */
export function serviceProbes(serviceUrls: ServiceUrls, signer: CallerSigner): Probes {
  const probeOf = (name: ServiceName, baseUrl: string): Probes[string] => {
    const url = new URL(fullPathOf(readinessRouteOf(name)), baseUrl);
    return httpProbe(url, isReady, () => ({ [callerHeader]: signer.sign({ caller }, name) }));
  };
  return Object.fromEntries(
    serviceNames.flatMap((name) => {
      const url = serviceUrls[name];
      return url === undefined ? [] : [[name, probeOf(name, url)]];
    }),
  );
}
