import { readAuditOfResource, readEventsOfResources, readNetworkOfRuns } from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import type { Context } from '@holdfast/kernel/context';
import type { TimelineDeps } from '../use-cases/timeline/ports.js';

type Clients = { readonly notifications: ServiceClient; readonly adapter: ServiceClient };

/** The parts of a timeline that other services own, each behind the time limit and the breaker of its service's client. */
export function timelineSources({
  notifications,
  adapter,
}: Clients): Pick<TimelineDeps['timeline'], 'events' | 'audit' | 'network'> {
  return {
    events: (resourceIds, ctx) => notifications.call(readEventsOfResources, { body: { resourceIds: [...resourceIds] } }, of(ctx)),
    audit: (resourceId, ctx) => notifications.call(readAuditOfResource, { body: { resourceId } }, of(ctx)),
    network: (runIds, ctx) => adapter.call(readNetworkOfRuns, { body: { sagaRunIds: [...runIds] } }, of(ctx)),
  };
}

function of({ requestId, caller }: Pick<Context, 'requestId' | 'caller'>) {
  return { requestId, marketplaceId: caller.marketplaceId };
}
