import type { custodyUnknownOutflowFound, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { money, parseUnits } from '@holdfast/kernel/money';
import { unknownOutflow } from '../domain/network-cases.js';
import { openCase } from './open-case.js';
import type { Deps } from './ports.js';

/**
 * Opens a case about tokens that left an account of the platform. An operation that does not say how much it has moved has a case of
 * its own, as a quarantined record. identity turns the emergency stop on, where that is wanted.
 */
export function handleUnknownOutflow(
  deps: Deps,
  message: Envelope<Payload<typeof custodyUnknownOutflowFound>>,
  ctx: Context,
): Promise<void> {
  const { marketplaceId, payload } = message;
  const amount = money(parseUnits(payload.amount), payload.currency);
  return deps.onMessage(message, async (tx) => {
    if (amount.units !== 0n) await openCase(tx, { ...unknownOutflow({ ...payload, amount }), marketplaceId }, ctx);
  });
}
