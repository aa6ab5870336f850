import type { Context, Instant } from '@holdfast/kernel/context';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { toEpochMs, toInstant } from '@holdfast/kernel/instants';
import { enabled, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.js';
import { publishAudit } from './endpoint-messages.js';
import { lockEndpoint } from './lock-endpoint.js';
import type { WebhookDeps, WebhookUnitOfWork } from './ports.js';
import { queueRange } from './queue-events.js';

export type EnableEndpoint = { readonly id: WebhookEndpointId; readonly replay: boolean };

/** With a replay everything of the history that it has not received is queued before newer events. */
export function enableEndpoint(deps: WebhookDeps, input: EnableEndpoint, ctx: Context): Promise<WebhookEndpoint> {
  return deps.perform({ name: 'enableWebhookEndpoint', input, ctx }, async (tx) => {
    const before = await lockEndpoint(tx, input.id, ctx);
    const after = enabled(before, ctx.at);
    const { replayAfter } = await tx.endpoints.startsOf(after.id);
    const missed = { after: historyStart(deps, ctx), from: replayAfter };
    // The long part comes first, because nothing is fanned out after the lock.
    const seen = input.replay
      ? await queueMissed(deps, tx, { endpoint: after, ...missed, until: await tx.log.end() })
      : replayAfter;
    const end = await tx.log.lockFanOut();
    if (input.replay) await queueMissed(deps, tx, { endpoint: after, ...missed, from: seen, until: end });
    await tx.endpoints.save(after);
    await tx.endpoints.saveStarts(after.id, { fanOutAfter: end, replayAfter: input.replay ? replayAfter : end });
    publishAudit(tx, { action: 'WEBHOOK_ENDPOINT_ENABLED', before, after }, ctx);
    tx.wakeWorkers();
    return after;
  });
}

type Missed = {
  readonly endpoint: WebhookEndpoint;
  readonly after: Instant;
  readonly from: bigint;
  readonly until: bigint;
};

/** Returns the last position that was looked at. */
async function queueMissed({ newId }: WebhookDeps, tx: WebhookUnitOfWork, missed: Missed): Promise<bigint> {
  const { endpoint, after, from, until } = missed;
  const range = { marketplaceId: endpoint.marketplaceId, after, until: endOfTime, afterPosition: from, untilPosition: until };
  const queueing = { newId, at: endpoint.updatedAt, isReplay: false };
  await queueRange(tx, endpoint, { ...range, notDeliveredTo: endpoint.id }, queueing);
  return until;
}

const endOfTime: Instant = '9999-12-30T00:00:00.000000Z';
const dayMs = 86_400_000;

/** Deliveries are retained longer than this, so that what was delivered is known. */
function historyStart({ historyDays }: WebhookDeps, { at }: Context): Instant {
  return toInstant(toEpochMs(at) - historyDays * dayMs);
}
