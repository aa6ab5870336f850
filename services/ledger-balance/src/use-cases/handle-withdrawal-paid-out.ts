import {
  balanceWithdrawalConsumed,
  type Envelope,
  type Payload,
  type PayoutMethod,
  type withdrawalPaidOut,
} from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { parseMoney } from '@holdfast/kernel/money';
import { externalAccount, type ExternalOwner } from '../domain/accounts.js';
import { withdrawalHold } from '../domain/reservations.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { balancesNow, balanceReply } from './replies.js';

/** Each is compared with what its provider says was paid out. */
const accountOf = { payment_provider: 'payouts', ledger_network: 'ledger_payouts' } as const satisfies Record<
  PayoutMethod,
  ExternalOwner
>;

/** The money has left the platform, so the reserved amount leaves the ledger. */
export function handleWithdrawalPaidOut(
  deps: Deps,
  message: Envelope<Payload<typeof withdrawalPaidOut>>,
): Promise<Published<'balance.released' | 'balance.withdrawal_consumed'>> {
  const { method, ...withdrawal } = message.payload;
  const { withdrawalId, userId, amount, currency } = withdrawal;
  return postMessage(deps, message, {
    type: 'WITHDRAWAL',
    reference: withdrawalId,
    description: 'Withdrawal: paid out',
    instruction: {
      does: 'deduct',
      userId,
      amount: parseMoney(amount, currency),
      hold: withdrawalHold(withdrawalId),
      to: externalAccount(accountOf[method], currency),
      reason: 'withdrawal_completed',
      exceeded: 'RESERVE_NOT_FOUND',
    },
    reply: { done: (user) => balanceReply(balanceWithdrawalConsumed, user, { ...withdrawal, ...balancesNow(user) }) },
  });
}
