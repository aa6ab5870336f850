import type { Context } from '@holdfast/kernel/context';
import type { PayinUpdate, PayoutUpdate } from '../domain/provider-updates.js';
import type { Topup } from '../domain/topup.js';
import { undocumentedStatusCase } from '../domain/undocumented-status.js';
import type { Withdrawal } from '../domain/withdrawal.js';
import { openCase } from './open-case.js';
import type { UnitOfWork } from './ports.js';

type Found = {
  readonly payment: Topup | Withdrawal;
  readonly update: PayinUpdate | PayoutUpdate;
};

/**
 * Opens the case about a status that the provider does not document. Returns whether the payment is polled, which has to end; events,
 * refreshes and reports still change it.
 */
export async function openUndocumented(
  tx: UnitOfWork,
  { payment, update }: Found,
  ctx: Pick<Context, 'requestId' | 'at' | 'log'>,
): Promise<boolean> {
  const { undocumentedStatus: status, providerId } = update;
  if (status === undefined) return false;
  await openCase(tx, undocumentedStatusCase(payment, status, providerId), ctx);
  return payment.nextPollAt !== null;
}
