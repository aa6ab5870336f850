import type { Context } from '@holdfast/kernel/context';
import type { balanceDeductionRestored, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { fundingFailed } from '../domain/escrow.js';
import { handleReply } from './handle-reply.js';
import { failureEntry } from './audit.js';
import type { Deps } from './ports.js';

const reason = 'the contract could not be funded';

/**
 * Funding failed and was compensated: the funds are reserved again, and the order is FUNDS_RESERVED with its unfunded contract.
 */
export function handleDeductionRestored(
  deps: Deps,
  message: Envelope<Payload<typeof balanceDeductionRestored>>,
  ctx: Context,
): Promise<Published> {
  return handleReply(deps, { message, orderId: message.payload.orderId }, ctx, (order) => {
    const after = fundingFailed(order);
    const failure = { code: 'ESCROW_FUNDING_FAILED', details: { orderStatus: after.status } } as const;
    return { after, events: [], auditEntries: [failureEntry('ESCROW_FUNDING_FAILED', order, after, reason)], failure };
  });
}
