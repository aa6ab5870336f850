import { toEpochMs } from '@holdfast/kernel/context';
import type { EventUpdate } from '../domain/provider-updates.js';
import type { UpdateResult } from './apply-payin-update.js';
import type { EventContext, EventDeps, EventResult, StoredEvent } from './event-ports.js';

/** With the delays between them, about an hour. */
const attemptsMax = 16;
/** An event may name a payment only by the provider's id, and arrive before we know that id. */
const unknownAttemptsMax = 4;

/** Applies a stored event and stores what became of it. Never rejects; returns whether the event is applied. */
export async function handleProviderEvent(deps: EventDeps, event: StoredEvent, ctx: EventContext): Promise<boolean> {
  const { attempts } = event;
  const about = { eventId: event.id, providerEventId: event.providerEventId, type: event.eventType, attempts };
  try {
    const { update } = deps.readEvent(event.body);
    const result = update === undefined ? 'unknown' : await apply(deps, update, ctx);
    if (result !== 'unknown') {
      await finish(deps, event, 'applied');
      return true;
    }
    if (update !== undefined && attempts < unknownAttemptsMax) await deps.events.postpone(event.id);
    else await finish(deps, event, 'ignored');
    ctx.log.warn(about, 'payment provider event about an unknown payment');
  } catch (error) {
    ctx.log.warn({ ...about, error }, 'payment provider event could not be applied');
    await retryOrFail(deps, event, ctx);
  }
  return false;
}

function apply(deps: EventDeps, learned: EventUpdate, ctx: EventContext): Promise<UpdateResult> {
  return learned.about === 'payin' ? deps.applyPayin(learned.update, ctx) : deps.applyPayout(learned.update, ctx);
}

async function finish(deps: EventDeps, { id, receivedAt }: StoredEvent, result: EventResult): Promise<void> {
  await deps.events.finish(id, result);
  deps.onEvent(result);
  if (result !== 'ignored') deps.onLag((toEpochMs(deps.clock.now()) - toEpochMs(receivedAt)) / 1_000);
}

/** If even this fails, the claim of the event expires, and the next attempt follows. */
async function retryOrFail(deps: EventDeps, event: StoredEvent, { log }: EventContext): Promise<void> {
  const { id, attempts } = event;
  try {
    if (attempts < attemptsMax) {
      await deps.events.postpone(id);
    } else {
      await finish(deps, event, 'failed');
      log.error({ eventId: id, attempts }, 'payment provider event failed for good');
    }
  } catch (error) {
    log.warn({ eventId: id, error }, 'payment provider event stays claimed');
  }
}

const batchEventsMax = 50;

/** Retries the events that could not be applied, and those of processes that died. */
export async function handleDueEvents(deps: EventDeps, signal: AbortSignal): Promise<void> {
  let events: readonly StoredEvent[];
  do {
    if (signal.aborted) return;
    events = await deps.events.claimDue(batchEventsMax);
    await Promise.all(
      events.map((event) => handleProviderEvent(deps, event, { requestId: event.id, at: deps.clock.now(), log: deps.log })),
    );
  } while (events.length === batchEventsMax);
}
