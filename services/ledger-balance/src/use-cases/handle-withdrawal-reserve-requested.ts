import {
  balanceWithdrawalReserved,
  balanceWithdrawalRefused,
  type Envelope,
  type Payload,
  type withdrawalReserveRequested,
} from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { parseMoney } from '@holdfast/kernel/money';
import { forWithdrawal } from '../domain/reservations.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { balancesNow, refusalOf, balanceReply } from './replies.js';

/** Reserves the amount of a withdrawal, or replies with the refusal. The balance routes cannot use this reservation. */
export function handleWithdrawalReserveRequested(
  deps: Deps,
  message: Envelope<Payload<typeof withdrawalReserveRequested>>,
): Promise<Published<'balance.reserved' | 'balance.withdrawal_reserved' | 'balance.withdrawal_refused'>> {
  const { withdrawalId, userId, amount, currency } = message.payload;
  return postMessage(deps, message, {
    type: 'WITHDRAWAL',
    reference: withdrawalId,
    description: 'Withdrawal: amount reserved',
    instruction: { does: 'reserve', userId, amount: parseMoney(amount, currency), reservedFor: forWithdrawal(withdrawalId) },
    reply: {
      done: (user) => balanceReply(balanceWithdrawalReserved, user, { ...message.payload, ...balancesNow(user) }),
      refused: (user, refusal) => balanceReply(balanceWithdrawalRefused, user, { ...message.payload, ...refusalOf(refusal) }),
    },
  });
}
