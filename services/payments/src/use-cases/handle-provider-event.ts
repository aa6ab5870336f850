import type { EventContext, FinalOutcome, HandleEvent } from '@holdfast/webhook-inbox';
import type { EventContent, EventUpdate, PayinUpdate, PayoutUpdate } from '../domain/provider-updates.js';
import type { UpdateResult } from './apply-payin-update.js';

export type EventDeps = {
  readonly readEvent: (body: Uint8Array) => EventContent;
  readonly applyPayin: (update: PayinUpdate, ctx: EventContext) => Promise<UpdateResult>;
  readonly applyPayout: (update: PayoutUpdate, ctx: EventContext) => Promise<UpdateResult>;
};

export const unknownEvent: FinalOutcome = { result: 'ignored', note: 'unknown type or format' };

/** Applies a stored event. */
export function handleProviderEvent(deps: EventDeps): HandleEvent {
  return async ({ body }, ctx) => {
    const { update } = deps.readEvent(body);
    if (update === undefined) return unknownEvent;
    const result = await apply(deps, update, ctx);
    return result === 'unknown' ? { result: 'unconfirmed', note: 'unknown payment' } : { result: 'applied', note: result };
  };
}

function apply(deps: EventDeps, learned: EventUpdate, ctx: EventContext): Promise<UpdateResult> {
  return learned.about === 'payin' ? deps.applyPayin(learned.update, ctx) : deps.applyPayout(learned.update, ctx);
}
