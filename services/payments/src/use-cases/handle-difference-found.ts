import { type Envelope, type Payload, type balanceDifferenceFound } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { money, parseUnits } from '@holdfast/kernel/money';
import { custodyDifference } from '../domain/custody-difference.js';
import { openDifference } from './difference-cases.js';
import type { Deps } from './ports.js';

/** Opens a case about a wallet that holds another amount than the books say. */
export function handleDifferenceFound(
  deps: Deps,
  message: Envelope<Payload<typeof balanceDifferenceFound>>,
  ctx: Context,
): Promise<void> {
  const { marketplaceId, payload } = message;
  const { userId, currency } = payload;
  const amount = money(parseUnits(payload.amount), currency);
  return deps.onMessage(message, async (tx) => {
    if (amount.units === 0n) return;
    await openDifference(tx, { ...custodyDifference({ place: 'wallet', ownerId: userId }, amount), marketplaceId, userId }, ctx);
  });
}
