import type { custodyUnknownDepositFound, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { money, parseUnits } from '@holdfast/kernel/money';
import { unknownDeposit } from '../domain/network-cases.js';
import { openCase } from './open-case.js';
import type { Deps } from './ports.js';

/** Opens a case about money on the ledger network that is credited to no user by itself. */
export function handleUnknownDeposit(
  deps: Deps,
  message: Envelope<Payload<typeof custodyUnknownDepositFound>>,
  ctx: Context,
): Promise<void> {
  const { marketplaceId, payload } = message;
  const amount = money(parseUnits(payload.amount), payload.currency);
  return deps.onMessage(message, async (tx) => {
    await openCase(tx, { ...unknownDeposit({ ...payload, amount }), marketplaceId }, ctx);
  });
}
