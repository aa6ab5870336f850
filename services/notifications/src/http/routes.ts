import { routesOwnedBy, type RoutesOwnedBy } from '@holdfast/contracts/http';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import { mapPage } from '@holdfast/kernel/pages';
import { listAuditEntries } from '../use-cases/list-audit-entries.js';
import { openStream, type OpenStreamDeps } from '../use-cases/open-stream.js';
import type { AuditTrail } from '../use-cases/ports.js';
import { createEndpoint } from '../use-cases/webhooks/create-endpoint.js';
import { deleteEndpoint } from '../use-cases/webhooks/delete-endpoint.js';
import { disableEndpoint } from '../use-cases/webhooks/disable-endpoint.js';
import { enableEndpoint } from '../use-cases/webhooks/enable-endpoint.js';
import type { WebhookDeps } from '../use-cases/webhooks/ports.js';
import { getDelivery, getEndpoint, listDeliveries, listEndpoints } from '../use-cases/webhooks/read-webhooks.js';
import { replayEvents } from '../use-cases/webhooks/replay-events.js';
import { resendDelivery } from '../use-cases/webhooks/resend-delivery.js';
import { rotateSecret } from '../use-cases/webhooks/rotate-secret.js';
import { testEndpoint } from '../use-cases/webhooks/test-endpoint.js';
import { updateEndpoint } from '../use-cases/webhooks/update-endpoint.js';
import { viewOfEntry, viewOfVerification } from './audit-view.js';
import { readRoutesOf, type ReadDeps } from './read-routes.js';
import { responseSink } from './response-sink.js';
import { lastEventIdOf } from './last-event-id.js';
import { viewOfDelivery, viewOfEndpoint, viewWithLog, viewWithSecret } from './webhook-view.js';

export type RouteDeps = {
  readonly streams: OpenStreamDeps;
  readonly audit: AuditTrail;
  readonly webhooks: WebhookDeps;
  readonly reads: Omit<ReadDeps, 'audit'>;
};

/** Declared route → use case. */
export function routesOf({ streams, audit, webhooks, reads }: RouteDeps): readonly BoundRoute[] {
  const { listEvents, getEvent, getSummary, readEventsOfResources, readAuditOfResource, ...others } =
    routesOwnedBy('notifications');
  const ofReads = { listEvents, getEvent, getSummary, readEventsOfResources, readAuditOfResource };
  return [...readRoutesOf(ofReads, { ...reads, audit }), ...otherRoutesOf(others, { streams, audit, webhooks })];
}

type OtherRoutes = Omit<RoutesOwnedBy<'notifications'>, keyof Parameters<typeof readRoutesOf>[0]>;

function otherRoutesOf(routes: OtherRoutes, { streams, audit, webhooks }: Omit<RouteDeps, 'reads'>): readonly BoundRoute[] {
  return bindRoutes(routes, {
    streamEvents: ({ query, headers }, ctx) => {
      const { types, resources, since } = query;
      const after = lastEventIdOf(headers['last-event-id']) ?? since;
      const start = openStream(streams, { types, resources, after }, ctx);
      return Promise.resolve((response) => start(responseSink(response)));
    },
    listAuditEntries: async ({ query }, ctx) => mapPage(await listAuditEntries(audit, query, ctx), viewOfEntry),
    verifyAuditTrail: async () => viewOfVerification(await audit.verify()),
    createWebhookEndpoint: async ({ body }, ctx) => viewWithSecret(await createEndpoint(webhooks, body, ctx)),
    listWebhookEndpoints: async ({ query }, ctx) => mapPage(await listEndpoints(webhooks, query, ctx), viewOfEndpoint),
    getWebhookEndpoint: async ({ params }, ctx) => viewOfEndpoint(await getEndpoint(webhooks, params.id, ctx)),
    updateWebhookEndpoint: async ({ params, body }, ctx) =>
      viewOfEndpoint(await updateEndpoint(webhooks, { ...params, ...body }, ctx)),
    deleteWebhookEndpoint: async ({ params }, ctx) => viewOfEndpoint(await deleteEndpoint(webhooks, params, ctx)),
    rotateWebhookSecret: async ({ params, body }, ctx) =>
      viewWithSecret(await rotateSecret(webhooks, { ...params, ...body }, ctx)),
    disableWebhookEndpoint: async ({ params }, ctx) => viewOfEndpoint(await disableEndpoint(webhooks, params, ctx)),
    enableWebhookEndpoint: async ({ params, body }, ctx) =>
      viewOfEndpoint(await enableEndpoint(webhooks, { ...params, ...body }, ctx)),
    testWebhookEndpoint: async ({ params, body }, ctx) =>
      viewOfDelivery(await testEndpoint(webhooks, { ...params, ...body }, ctx)),
    replayWebhookEvents: ({ params, body }, ctx) => replayEvents(webhooks, { ...params, ...body }, ctx),
    listWebhookDeliveries: async ({ query }, ctx) => mapPage(await listDeliveries(webhooks, query, ctx), viewOfDelivery),
    getWebhookDelivery: async ({ params }, ctx) => viewWithLog(await getDelivery(webhooks, params.id, ctx)),
    resendWebhookDelivery: async ({ params }, ctx) => viewOfDelivery(await resendDelivery(webhooks, params, ctx)),
  });
}
