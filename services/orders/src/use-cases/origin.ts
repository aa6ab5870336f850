import { causeEventId, predecessorEventId, type Envelope } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { originOfReply, startOf, type Actor, type Origin, type RunRef } from '@holdfast/sagas';
import type { Order } from '../domain/order.js';

/** The first step of the run that follows in the same commit. */
export function originOfNextRun({ actor, at, correlationId, causationId }: Origin, run: RunRef): Origin {
  return { actor, at, correlationId, causationId, run, step: startOf({ ...run, startedAt: at }) };
}

/** The actor of changes that no request caused: they were observed on the ledger network. */
export const ledgerNetworkActor: Actor = { type: 'system', id: 'ledger-network' };

export function originOfMessage(message: Envelope, ctx: Context, { activeRun }: Pick<Order, 'activeRun'>): Origin {
  if (activeRun !== null) return originOfReply(message, ctx, activeRun);
  const { id, type, occurredAt } = message;
  return {
    actor: ledgerNetworkActor,
    at: ctx.at,
    correlationId: ctx.requestId,
    causationId: causeEventId(message),
    afterEventId: predecessorEventId(message),
    step: { cause: id, name: type, at: occurredAt },
  };
}
