import type { RoutesOwnedBy } from '@holdfast/contracts/http';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import { getEvent } from '../use-cases/get-event.js';
import { listEvents } from '../use-cases/list-events.js';
import type { AuditTrail, EventLists } from '../use-cases/ports.js';
import { readAuditOfResource, readEventsOfResources } from '../use-cases/read-history.js';
import { getSummary } from '../use-cases/summary/get-summary.js';
import type { SummaryReader } from '../use-cases/summary/ports.js';

export type ReadDeps = {
  readonly events: EventLists;
  readonly summary: SummaryReader;
  readonly audit: Pick<AuditTrail, 'list'>;
};

type Routes = Pick<
  RoutesOwnedBy<'notifications'>,
  'listEvents' | 'getEvent' | 'getSummary' | 'readEventsOfResources' | 'readAuditOfResource'
>;

/** Reads of the log for pages and for other services: declared route → use case. */
export function readRoutesOf(routes: Routes, { events, summary, audit }: ReadDeps): readonly BoundRoute[] {
  return bindRoutes(routes, {
    listEvents: ({ query }, ctx) => listEvents(events, query, ctx),
    getEvent: ({ params }, ctx) => getEvent(events, params, ctx),
    getSummary: ({ query }, ctx) => getSummary(summary, query, ctx),
    readEventsOfResources: ({ body }, ctx) => readEventsOfResources(events, body, ctx),
    readAuditOfResource: ({ body }, ctx) => readAuditOfResource(audit, body, ctx),
  });
}
