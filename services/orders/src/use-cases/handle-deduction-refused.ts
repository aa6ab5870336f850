import type { Context } from '@holdfast/kernel/context';
import type { balanceDeductionRefused, Envelope, Payload } from '@holdfast/contracts/messages';
import { fundingRefused } from '../domain/escrow.js';
import { handleReply } from './handle-reply.js';
import { failureEntry } from './audit.js';
import type { Deps } from './ports.js';

/** Too little is reserved: nothing has happened, the order stays where it was, and its escrow is CREATED again. */
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
