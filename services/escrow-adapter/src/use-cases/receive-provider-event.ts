import type { EscrowProviderEvent } from '@holdfast/contracts/http';
import type { Context } from '@holdfast/kernel/context';
import { wakeIntentOf } from './handle-provider-event.js';
import type { Deps } from './ports.js';

type Received = { readonly event: EscrowProviderEvent; readonly isSigned: boolean };

/**
 * Stores a provider event once, unless it names a transaction of our own; only what it says of its contract is kept. Our own tables may say what
 * it is about. If they do not, it is checked on the network.
 */
export async function receiveProviderEvent(deps: Deps, { event, isSigned }: Received, ctx: Context): Promise<void> {
  const { event_id: providerEventId, type: eventType, data } = event;
  if (!isSigned) ctx.log.warn({ eventId: providerEventId, type: eventType }, 'provider event without a signature');
  const own = await deps.eventSubjects.findOwn(data);
  if (own !== undefined) {
    deps.inbox.countOwn();
    wakeIntentOf(deps, own, isSigned);
    return;
  }
  const stored = { providerEventId, eventType, body: keptOf(data), isSigned };
  const { receipt, subject } = await deps.eventSubjects.receive(deps.inbox, stored, data, ctx);
  if (receipt !== 'duplicate') wakeIntentOf(deps, subject, isSigned);
}

/** The rest of the body is dropped: any stranger can send an event without a signature, with as much text as a body may have. */
function keptOf({ contract_id, order_id, transaction_hash, milestone_ref }: EscrowProviderEvent['data']): Buffer {
  return Buffer.from(JSON.stringify({ contract_id, order_id, transaction_hash, milestone_ref }));
}

/** A signed event of an unknown type or format. Without an event id of the provider its id is the hash of the body. */
export type UnreadableEvent = { readonly eventId: string; readonly body: Uint8Array };

/** Stores a signed event that this service cannot read, once, so that a person can look at it. It has no other effect. */
export async function ignoreProviderEvent({ inbox }: Deps, { eventId, body }: UnreadableEvent, ctx: Context): Promise<void> {
  const stored = { providerEventId: eventId, eventType: '', body, isSigned: true };
  const receipt = await inbox.receive(stored, ctx, { result: 'ignored', note: 'unknown type or format' });
  if (receipt !== 'duplicate') ctx.log.warn({ eventId }, 'provider event of an unknown type or format ignored');
}
