import { balanceCaseBooked, type caseBookingRequested, type Envelope, type Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { money, parseUnits } from '@holdfast/kernel/money';
import { externalAccount, suspenseAccount } from '../domain/accounts.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';
import { caseReply } from './replies.js';

/**
 * Books the money of a reconciliation case to the suspense account, so that the journal agrees with the provider while the case is
 * open. The cause is the case and not the message, so that it is booked once.
 */
export function handleCaseBookingRequested(
  deps: Deps,
  message: Envelope<Payload<typeof caseBookingRequested>>,
): Promise<Published<'balance.case_booked'>> {
  const { caseId, amount, currency, origin } = message.payload;
  return postMessage(deps, message, {
    type: 'RECONCILIATION',
    cause: `case-opened:${caseId}`,
    reference: caseId,
    description: 'Reconciliation case opened',
    instruction: {
      does: 'move',
      from: externalAccount(origin, currency),
      to: suspenseAccount(currency),
      amount: money(parseUnits(amount), currency),
    },
    reply: { done: () => caseReply(balanceCaseBooked, { caseId, amount, currency }) },
  });
}
