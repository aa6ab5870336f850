import type { Context, Instant } from '@holdfast/kernel/context';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { moved } from '@holdfast/kernel/states';
import { webhookEndpointMoves } from '../../domain/webhooks/webhook-endpoint-states.js';
import { lockEndpoint } from './lock-endpoint.js';
import type { WebhookDeps } from './ports.js';
import { queueRange } from './queue-events.js';

export type ReplayEvents = {
  readonly id: WebhookEndpointId;
  readonly since: Instant;
  readonly until?: Instant | undefined;
  readonly types?: readonly string[] | undefined;
};

/** Returns how many deliveries were queued. */
export function replayEvents(deps: WebhookDeps, input: ReplayEvents, ctx: Context): Promise<{ readonly deliveries: number }> {
  return deps.perform({ name: 'replayWebhookEvents', input, ctx }, async (tx) => {
    const endpoint = await lockEndpoint(tx, input.id, ctx);
    moved(webhookEndpointMoves, 'deliver', endpoint.status);
    const { marketplaceId, types } = endpoint;
    const range = {
      marketplaceId,
      after: input.since,
      until: input.until ?? ctx.at,
      afterPosition: 0n,
      untilPosition: await tx.log.end(),
      notDeliveredTo: null,
    };
    const receiver = { ...endpoint, types: input.types ?? types };
    const deliveries = await queueRange(tx, receiver, range, { newId: deps.newId, at: ctx.at, isReplay: true });
    tx.wakeWorkers();
    return { deliveries };
  });
}
