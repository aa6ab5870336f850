import type { Envelope } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import type { Aggregate } from '../domain/aggregate.js';
import { endRun, type AggregateKind, type Change } from './apply-change.js';
import { originOfReply } from './origin.js';
import type { Deps, SagaOutcome, UnitOfWork } from './ports.js';

/** The last change of a saga run, and the outcome for the waiting request; by default it has succeeded. */
export type RunEnd<A extends Aggregate> = Change<A> & { readonly outcome?: SagaOutcome };

type Reply<A extends Aggregate> = {
  readonly message: Envelope;
  readonly kind: AggregateKind<A>;
  readonly lock: (tx: UnitOfWork) => Promise<A | undefined>;
};

/** Handles a reply that ends the active run of its aggregate. A reply to any other run is ignored: that run has ended. */
export function handleReply<A extends Aggregate>(
  deps: Deps,
  { message, kind, lock }: Reply<A>,
  ctx: Context,
  decide: (aggregate: A, tx: UnitOfWork) => RunEnd<A> | Promise<RunEnd<A>>,
): Promise<void> {
  return deps.onMessage(message, async (tx) => {
    const aggregate = await lock(tx);
    const activeRun = aggregate?.activeRun ?? null;
    if (aggregate === undefined || activeRun === null || activeRun.runId !== message.sagaRunId) {
      ctx.log.warn(
        { aggregateId: message.aggregateId, type: message.type, sagaRunId: message.sagaRunId },
        'ignored a reply: its saga run is not active',
      );
      return;
    }
    const after = endRun(tx, kind, aggregate, {
      change: await decide(aggregate, tx),
      origin: originOfReply(message, ctx, activeRun),
    });
    ctx.log.info({ id: after.id, saga: activeRun.saga, from: aggregate.status, to: after.status }, 'saga ended');
  });
}
