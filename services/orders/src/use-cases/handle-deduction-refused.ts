import type { Context } from '@holdfast/kernel/context';
import type { balanceDeductionRefused, Envelope, Payload } from '@holdfast/contracts/messages';
import { fundingRefused } from '../domain/escrow.js';
import { handleReply } from './handle-reply.js';
import { failureEntry } from './audit.js';
import type { Deps } from './ports.js';

/** Too little is reserved. No money has moved, so the order keeps its status and its escrow returns to CREATED. */
export function handleDeductionRefused(
  deps: Deps,
  message: Envelope<Payload<typeof balanceDeductionRefused>>,
  ctx: Context,
): Promise<void> {
  const { orderId, code, details } = message.payload;
  return handleReply(deps, { message, orderId }, ctx, (order) => {
    const after = fundingRefused(order);
    return {
      after,
      events: [],
      auditEntries: [failureEntry('ESCROW_FUNDING_FAILED', order, after, code)],
      failure: { code, details },
    };
  });
}
