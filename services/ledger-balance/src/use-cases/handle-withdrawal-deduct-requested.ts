import {
  balanceWithdrawalDeducted,
  type Envelope,
  type Payload,
  type PayoutMethod,
  type withdrawalDeductRequested,
} from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { parseMoney } from '@holdfast/kernel/money';
import { externalAccount, type ExternalOwner } from '../domain/accounts.js';
import { forWithdrawal } from '../domain/reservations.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { balancesNow, balanceReply } from './replies.js';

/** Each is compared with what its provider says was paid out. */
const accountOf = { payment_provider: 'payouts', ledger_network: 'ledger_payouts' } as const satisfies Record<
  PayoutMethod,
  ExternalOwner
>;

/** The money has left the platform, so the reserved amount leaves the ledger. */
export function handleWithdrawalDeductRequested(
  deps: Deps,
  message: Envelope<Payload<typeof withdrawalDeductRequested>>,
): Promise<Published<'balance.released' | 'balance.withdrawal_deducted'>> {
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
      reservedFor: forWithdrawal(withdrawalId),
      to: externalAccount(accountOf[method], currency),
      reason: 'withdrawal_completed',
      exceeded: 'RESERVE_NOT_FOUND',
    },
    reply: { done: (user) => balanceReply(balanceWithdrawalDeducted, user, { ...withdrawal, ...balancesNow(user) }) },
  });
}
