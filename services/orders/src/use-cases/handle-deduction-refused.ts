import type { Context } from '@holdfast/kernel/context';
import type { balanceDeductionRefused, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { fundingFailed } from '../domain/escrow.js';
import { handleReply } from './handle-reply.js';
import { failureEntry } from './audit.js';
import type { Deps } from './ports.js';

/**
 * Too little is reserved, and no money has moved. The order is FUNDS_RESERVED with its unfunded contract: it can be canceled, or
 * funded again after more was reserved for it over the balance routes.
 */
export function handleDeductionRefused(
  deps: Deps,
  message: Envelope<Payload<typeof balanceDeductionRefused>>,
  ctx: Context,
): Promise<Published> {
  const { orderId, code, details } = message.payload;
  return handleReply(deps, { message, orderId }, ctx, (order) => {
    const after = fundingFailed(order);
    return {
      after,
      events: [],
      auditEntries: [failureEntry('ESCROW_FUNDING_FAILED', order, after, code)],
      failure: { code, details: { ...details, orderStatus: after.status } },
    };
  });
}
