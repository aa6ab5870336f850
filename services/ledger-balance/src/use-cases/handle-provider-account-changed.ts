import type { Envelope, Payload, providerAccountChanged } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { money, parseUnits } from '@holdfast/kernel/money';
import { capitalAccount, externalAccount, providerCostAccount } from '../domain/accounts.js';
import type { Deps } from './ports.js';
import { postMessage } from './post-request.js';

/** Books the fees of the payment provider as costs of the platform, and what its owners had put in there as capital. */
export function handleProviderAccountChanged(
  deps: Deps,
  message: Envelope<Payload<typeof providerAccountChanged>>,
): Promise<Published> {
  const { change, amount, currency } = message.payload;
  const atProvider = externalAccount('provider_account', currency);
  const [from, to] = change === 'fees' ? [providerCostAccount(currency), atProvider] : [atProvider, capitalAccount(currency)];
  return postMessage(deps, message, {
    type: 'RECONCILIATION',
    description: change === 'fees' ? 'Fees of the payment provider' : 'Capital at the payment provider',
    instruction: { does: 'move', from, to, amount: money(parseUnits(amount), currency) },
  });
}
