import type { custodyUnknownOutflowFound, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { payoutMemoHash, type WithdrawalId } from '@holdfast/kernel/ids';
import { money, parseUnits, type Money } from '@holdfast/kernel/money';
import { unknownOutflow } from '../domain/network-cases.js';
import { addToCaseOfRestore } from './add-to-case-of-restore.js';
import { openCase } from './open-case.js';
import type { Deps } from './ports.js';

/**
 * Opens a case about tokens that left an account of the platform. An operation that does not say how much it has moved has its own case, as
 * a quarantined record. After a restore, payouts that were made since the backup are unknown too. If their memo names an open withdrawal,
 * the withdrawal ends by itself; all other outflows are listed in one case. identity turns the emergency stop on, if the settings say so.
 */
export async function handleUnknownOutflow(
  deps: Deps,
  message: Envelope<Payload<typeof custodyUnknownOutflowFound>>,
  ctx: Context,
): Promise<void> {
  const { marketplaceId, payload } = message;
  const amount = money(parseUnits(payload.amount), payload.currency);
  const withdrawalId = await withdrawalPaidBy(deps, payload, amount);
  if (withdrawalId !== undefined) ctx.log.warn({ withdrawalId, ...payload }, 'an outflow is the payout of a withdrawal');
  const hasCase = amount.units !== 0n && withdrawalId === undefined;
  return deps.onMessage(message, async (tx) => {
    if (!hasCase) return;
    const [outflow, restoredAt] = [{ ...payload, amount }, await tx.restoredAt()];
    if (restoredAt !== undefined && (await addToCaseOfRestore(tx, outflow, restoredAt, ctx))) return;
    await openCase(tx, { ...unknownOutflow(outflow), marketplaceId }, ctx);
  });
}

async function withdrawalPaidBy(
  { withdrawals }: Deps,
  { to, memoHash }: Payload<typeof custodyUnknownOutflowFound>,
  { units }: Money,
): Promise<WithdrawalId | undefined> {
  if (to === null || memoHash === null) return undefined;
  return (await withdrawals.findOpenTo(to, units)).find(({ id }) => payoutMemoHash(id) === memoHash)?.id;
}
