import type { Context } from '@holdfast/kernel/context';
import { canMove } from '@holdfast/kernel/states';
import { verdictOn } from '../domain/payment-proof.js';
import type { PayinUpdate } from '../domain/provider-updates.js';
import type { Topup } from '../domain/topup.js';
import { topupMoves } from '../domain/topup-states.js';
import { applyPayinUpdate } from './apply-payin-update.js';
import type { Deps } from './ports.js';
import { requestTopupCancellation } from './request-topup-cancellation.js';
import { refuse, type EndPayment, type ResolvePayment } from './resolution-ports.js';

/** The payment provider's record decides which outcome can be true. Returns what ends the top-up accordingly. */
export async function proveTopup(deps: Deps, topup: Topup, input: ResolvePayment, ctx: Context): Promise<EndPayment> {
  if (topup.activeRun !== null)
    return refuse('its payment was received; "npm run sagas -- redrive" resends the command of its run');
  const record = await findPayin(deps, topup);
  const verdict = verdictOn(input.outcome, 'payin', { record, units: topup.amount.units });
  if (typeof verdict === 'object') return refuse(verdict.objection);
  if (verdict === 'apply' && record !== undefined) return () => applyPayinUpdate(deps, record, ctx);
  // An open pay-in is canceled at the provider before the top-up ends.
  if (canMove(topupMoves, 'cancel', topup.status)) return () => cancel(deps, topup, input, ctx);
  return refuse(`it is ${topup.status}, but the payment provider does not say that it has ended`);
}

function cancel(deps: Deps, { id }: Topup, { by, evidence }: ResolvePayment, ctx: Context): Promise<unknown> {
  const request = { actor: { type: 'operator', id: by }, canceledBy: by, reason: evidence };
  return deps.inTransaction(async (tx) => {
    const topup = await tx.topups.lock(id);
    if (topup === undefined || !canMove(topupMoves, 'cancel', topup.status)) return;
    await requestTopupCancellation(tx, topup, request, ctx);
  });
}

/** The code of a pay-in is the top-up's id. A known pay-in that the provider does not find proves nothing. */
async function findPayin({ provider }: Deps, { id, marketplaceId, providerPayinId }: Topup): Promise<PayinUpdate | undefined> {
  if (providerPayinId === null) return provider.findPayinByCode(id, { marketplaceId });
  const found = await provider.findPayin(providerPayinId, { marketplaceId });
  return found ?? refuse(`the payment provider does not find the pay-in ${providerPayinId}`);
}
