import type { Context } from '@holdfast/kernel/context';
import type { DisputeId } from '@holdfast/kernel/ids';
import { publishAudit } from './apply-change.js';
import { requireDispute } from './require-order.js';
import { originOfRequest } from './origin.js';
import type { Comment, Deps } from './ports.js';

export type AddDisputeComment = { readonly id: DisputeId; readonly text: string; readonly author?: string | undefined };

/** Whatever the dispute and its order are doing: talking about it changes nothing. */
export function addDisputeComment(deps: Deps, { id, text, author }: AddDisputeComment, ctx: Context): Promise<Comment> {
  const comment = { id: deps.newId('cmt'), disputeId: id, text, author: author ?? ctx.caller.id, createdAt: ctx.at };
  const key = { marketplaceId: ctx.caller.marketplaceId, disputeId: id, createdId: comment.id, whenCommitted: () => comment };
  return deps.onDispute(key, (tx, locked) => {
    const { order } = requireDispute(locked, id);
    tx.addComment(comment);
    const entry = { action: 'DISPUTE_COMMENTED', before: null, after: { disputeId: id, commentId: comment.id } };
    publishAudit(tx, order, entry, originOfRequest(ctx));
    return comment;
  });
}
