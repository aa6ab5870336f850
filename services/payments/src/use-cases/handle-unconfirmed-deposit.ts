import type { custodyUnconfirmedDepositFound, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { money, parseUnits } from '@holdfast/kernel/money';
import { unconfirmedDeposit } from '../domain/network-cases.js';
import { openCase } from './open-case.js';
import type { Deps } from './ports.js';

/** Opens a case about a deposit that only one source has shown. */
export function handleUnconfirmedDeposit(
  deps: Deps,
  message: Envelope<Payload<typeof custodyUnconfirmedDepositFound>>,
  ctx: Context,
): Promise<void> {
  const { marketplaceId, payload } = message;
  const amount = money(parseUnits(payload.amount), payload.currency);
  return deps.onMessage(message, async (tx) => {
    await openCase(tx, { ...unconfirmedDeposit({ ...payload, amount }), marketplaceId }, ctx);
  });
}
