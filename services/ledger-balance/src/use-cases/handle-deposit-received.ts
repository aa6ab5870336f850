import type { balanceDepositReceived, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { parseMoney } from '@holdfast/kernel/money';
import { creditOfDeposit } from './credit-of-deposit.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';

/** A payment arrived in the user's wallet. Nothing happens if a sync has credited it already. */
export function handleDepositReceived(
  deps: Deps,
  message: Envelope<Payload<typeof balanceDepositReceived>>,
): Promise<Published<'balance.credited'>> {
  const { userId, amount, currency, operationId } = message.payload;
  return postMessage(deps, message, creditOfDeposit({ userId, amount: parseMoney(amount, currency), operationId }));
}
