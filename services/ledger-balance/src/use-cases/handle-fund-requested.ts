import {
  balanceDeductionRefused,
  balanceReservedDeducted,
  type Envelope,
  type orderFundRequested,
  type Payload,
} from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { parseMoney } from '@holdfast/kernel/money';
import { escrowAccount } from '../domain/accounts.js';
import { forOrder } from '../domain/reservations.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { balancesNow, refusalOf, balanceReply } from './replies.js';

/** Moves an order's reserved funds to its escrow account, or replies with the amounts if too little is reserved. */
export function handleFundRequested(
  deps: Deps,
  message: Envelope<Payload<typeof orderFundRequested>>,
): Promise<Published<'balance.released' | 'balance.reserved_deducted' | 'balance.deduction_refused'>> {
  const { orderId, userId, amount, currency } = message.payload;
  return postMessage(deps, message, {
    type: 'DEDUCT',
    instruction: {
      does: 'deduct',
      userId,
      amount: parseMoney(amount, currency),
      reservedFor: forOrder(orderId),
      to: escrowAccount(orderId, currency),
      reason: 'escrow_funded',
      exceeded: 'RESERVE_NOT_FOUND',
    },
    orderId,
    description: 'Escrow: funded',
    reply: {
      done: (user) => balanceReply(balanceReservedDeducted, user, { ...message.payload, ...balancesNow(user) }),
      refused: (user, refusal) => balanceReply(balanceDeductionRefused, user, { ...message.payload, ...refusalOf(refusal) }),
    },
  });
}
