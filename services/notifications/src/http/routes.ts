import { routesOwnedBy } from '@holdfast/contracts/http';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import { mapPage } from '@holdfast/kernel/pages';
import { listAuditEntries } from '../use-cases/list-audit-entries.js';
import { openStream, type OpenStreamDeps } from '../use-cases/open-stream.js';
import type { AuditTrail } from '../use-cases/ports.js';
import { viewOfEntry, viewOfVerification } from './audit-view.js';
import { responseSink } from './response-sink.js';
import { lastEventIdOf } from './last-event-id.js';

export type RouteDeps = { readonly streams: OpenStreamDeps; readonly audit: AuditTrail };

/** Declared route → use case. */
export function routesOf({ streams, audit }: RouteDeps): readonly BoundRoute[] {
  return bindRoutes(routesOwnedBy('notifications'), {
    streamEvents: ({ query, headers }, ctx) => {
      const { types, resources, since } = query;
      const after = lastEventIdOf(headers['last-event-id']) ?? since;
      const start = openStream(streams, { types, resources, after }, ctx);
      return Promise.resolve((response) => start(responseSink(response)));
    },
    listAuditEntries: async ({ query }, ctx) => mapPage(await listAuditEntries(audit, query, ctx), viewOfEntry),
    verifyAuditTrail: async () => viewOfVerification(await audit.verify()),
  });
}
