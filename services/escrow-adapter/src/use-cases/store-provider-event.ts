import type { EscrowProviderEvent } from '@holdfast/contracts/http';
import type { Context } from '@holdfast/kernel/context';
import type { StoredEvent, ProviderEvent } from './event-ports.js';
import type { Deps } from './ports.js';

/** Stores a provider event once. Undefined where it was stored before. */
export async function storeProviderEvent(
  deps: Deps,
  { event, isSigned }: { readonly event: EscrowProviderEvent; readonly isSigned: boolean },
  ctx: Context,
): Promise<StoredEvent | undefined> {
  if (!isSigned) ctx.log.warn({ eventId: event.event_id, type: event.type }, 'provider event without a signature');
  return deps.events.store(toEvent(deps, event, isSigned, ctx));
}

function toEvent({ newId }: Deps, { type, event_id, data }: EscrowProviderEvent, isSigned: boolean, ctx: Context): ProviderEvent {
  return {
    id: newId('whe'),
    eventId: event_id,
    type,
    contractId: data.contract_id,
    ...(data.order_id === undefined ? {} : { orderId: data.order_id }),
    ...(data.transaction_hash === undefined ? {} : { transactionHash: data.transaction_hash }),
    ...(data.milestone_ref === undefined ? {} : { milestoneRef: data.milestone_ref }),
    isSigned,
    receivedAt: ctx.at,
  };
}
