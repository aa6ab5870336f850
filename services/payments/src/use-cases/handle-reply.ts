import type { Envelope } from '@holdfast/contracts/messages';
import { published, type Published } from '@holdfast/contracts/sagas';
import type { Context } from '@holdfast/kernel/context';
import { endRun, isReplyToActiveRun, originOfReply, type Aggregate, type AggregateKind, type RunEnd } from '@holdfast/sagas';
import type { Deps, UnitOfWork } from './ports.js';

type Reply<A extends Aggregate> = {
  readonly message: Envelope;
  readonly kind: AggregateKind<A, UnitOfWork>;
  readonly lock: (tx: UnitOfWork) => Promise<A | undefined>;
};

/** Handles a reply that ends the active run of its aggregate. A reply to any other run is ignored: that run has ended. */
export async function handleReply<A extends Aggregate, EventType extends string = never>(
  deps: Deps,
  { message, kind, lock }: Reply<A>,
  ctx: Context,
  decide: (aggregate: A, tx: UnitOfWork) => RunEnd<A, EventType> | Promise<RunEnd<A, EventType>>,
): Promise<Published<EventType>> {
  await deps.onMessage(message, async (tx) => {
    const aggregate = await lock(tx);
    const activeRun = aggregate?.activeRun ?? null;
    if (aggregate === undefined || activeRun === null || !isReplyToActiveRun(message, aggregate)) {
      ctx.log.warn(
        { aggregateId: message.aggregateId, type: message.type, sagaRunId: message.sagaRunId },
        'ignored a reply: its saga run is not active',
      );
      return;
    }
    const change = await decide(aggregate, tx);
    const after = endRun(tx, kind, aggregate, { change, origin: originOfReply(message, ctx, activeRun) });
    ctx.log.info({ id: after.id, saga: activeRun.saga, from: aggregate.status, to: after.status }, 'saga ended');
  });
  return published;
}
