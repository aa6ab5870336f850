import type { Context } from '@holdfast/kernel/context';
import type { DisputeId } from '@holdfast/kernel/ids';
import { originOfRequest, publishAuditEntries } from '@holdfast/sagas';
import { withResponse } from '../domain/dispute-evidence.js';
import { timeBy } from '../domain/marketplace-clock.js';
import { orderKind } from './order-kind.js';
import { requireDispute } from './require-dispute.js';
import type { Comment, Deps, DisputeKey } from './ports.js';

export type AddDisputeComment = { readonly id: DisputeId; readonly text: string; readonly author?: string | undefined };

/**
 * Comments are allowed in every state of the dispute and its order, because they change neither. One of the side that did not open the
 * dispute is a response, after which the opener does not win by silence.
 */
export function addDisputeComment(deps: Deps, { id, text, author }: AddDisputeComment, ctx: Context): Promise<Comment> {
  const comment = { id: deps.newId('cmt'), disputeId: id, text, author: author ?? ctx.caller.id, createdAt: ctx.at };
  const { marketplaceId } = ctx.caller;
  const key: DisputeKey<Comment> = { marketplaceId, disputeId: id, createdId: comment.id, whenCommitted: () => comment };
  return deps.onDispute(key, (tx, { order, clock }) => {
    const dispute = requireDispute(order, id);
    tx.addComment(comment);
    const answered = withResponse(dispute, { by: comment.author, at: timeBy(clock, ctx.at) });
    if (answered !== dispute) orderKind.save(tx, { ...order, dispute: answered }, order);
    const entry = { action: 'DISPUTE_COMMENTED', before: null, after: { disputeId: id, commentId: comment.id } };
    publishAuditEntries(tx, orderKind, order, { auditEntries: [entry], origin: originOfRequest(ctx) });
    return comment;
  });
}
