import type { balanceWithdrawalReserved, balanceWithdrawalRefused, Envelope, Payload } from '@holdfast/contracts/messages';
import { published, type Published } from '@holdfast/contracts/sagas';
import type { Context } from '@holdfast/kernel/context';
import { parseMoney } from '@holdfast/kernel/money';
import type { Change } from '@holdfast/sagas';
import type { Withdrawal } from '../domain/withdrawal.js';
import { statusEntry } from './audit.js';
import { handleWithdrawalReply } from './handle-withdrawal-reply.js';
import type { Deps } from './ports.js';
import { heldDetails } from './require-no-hold.js';
import { commitChange, inSequence, requestPayout } from './withdrawal-changes.js';
import { createdEvent } from './withdrawal-events.js';

/** The amount is reserved: the withdrawal exists, and is committed if that was requested. */
export function handleWithdrawalReserved(
  deps: Deps,
  message: Envelope<Payload<typeof balanceWithdrawalReserved>>,
  ctx: Context,
): Promise<Published<'withdrawal.created' | 'withdrawal.committed'>> {
  const { availableBalance, currency } = message.payload;
  return handleWithdrawalReply(deps, message, ctx, async (withdrawal, tx) => {
    const created = heldChange(withdrawal, ctx);
    if (!withdrawal.commitsAtOnce) return created;
    // An unconfirmed payment may have been credited meanwhile. The withdrawal can be committed later.
    const hold = await tx.holds.find(withdrawal.marketplaceId, withdrawal.userId);
    if (hold !== undefined) {
      const details = { ...heldDetails(hold), withdrawalId: withdrawal.id };
      return { ...created, failure: { code: 'INVALID_STATE', details } };
    }
    const available = parseMoney(availableBalance, currency);
    const committed = inSequence(created, (held) => commitChange(held, available, ctx.at));
    requestPayout(tx, committed.after, ctx.requestId);
    return committed;
  });
}

function heldChange(withdrawal: Withdrawal, { at }: Context): Change<Withdrawal, 'withdrawal.created'> {
  const after = { ...withdrawal, reservedAt: at };
  const event = createdEvent(after);
  return { after, events: [event], auditEntries: [statusEntry(null, after.status, { reports: event.declaration.type })] };
}

/** The amount is not reserved: the withdrawal was never visible, so it is deleted. */
export async function handleWithdrawalRefused(
  deps: Deps,
  message: Envelope<Payload<typeof balanceWithdrawalRefused>>,
  ctx: Context,
): Promise<Published> {
  const { withdrawalId, code, details } = message.payload;
  await deps.onMessage(message, async (tx) => {
    const withdrawal = await tx.withdrawals.lock(withdrawalId);
    const activeRun = withdrawal?.activeRun ?? null;
    if (activeRun === null || activeRun.runId !== message.sagaRunId) return;
    tx.withdrawals.delete(withdrawalId);
    tx.runs.close(activeRun.runId, { status: 'failed', code, details });
    ctx.log.info({ withdrawalId, code }, 'withdrawal refused by the ledger');
  });
  return published;
}
