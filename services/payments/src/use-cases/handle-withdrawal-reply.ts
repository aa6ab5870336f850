import type { Envelope } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { Context } from '@holdfast/kernel/context';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import type { RunEnd } from '@holdfast/sagas';
import type { Withdrawal } from '../domain/withdrawal.js';
import { withdrawalKind } from './aggregate-kinds.js';
import { handleReply } from './handle-reply.js';
import type { Deps, UnitOfWork } from './ports.js';

/** Handles a reply that ends the active run of the withdrawal that it names. */
export function handleWithdrawalReply<EventType extends string = never>(
  deps: Deps,
  message: Envelope<{ readonly withdrawalId: WithdrawalId }>,
  ctx: Context,
  decide: (withdrawal: Withdrawal, tx: UnitOfWork) => RunEnd<Withdrawal, EventType> | Promise<RunEnd<Withdrawal, EventType>>,
): Promise<Published<EventType>> {
  const { withdrawalId } = message.payload;
  return handleReply(deps, { message, kind: withdrawalKind, lock: (tx) => tx.withdrawals.lock(withdrawalId) }, ctx, decide);
}
