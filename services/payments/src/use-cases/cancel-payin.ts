import type { Intent, RunResult } from '@holdfast/intents';
import type { PayinUpdate } from '../domain/provider-updates.js';
import type { Topup } from '../domain/topup.js';
import { applyPayin } from './apply-payin-update.js';
import type { Deps } from './ports.js';
import { ProviderRefused, type ProviderCall } from './provider-ports.js';
import { runPayinIntent, writeNothing, type WriteOutcome } from './run-payin-intent.js';

/**
 * Cancels the pay-in of a top-up at the provider. If it can no longer be canceled, its status decides: a received payment is
 * credited, and the request to cancel is dropped.
 */
export function cancelPayin(deps: Deps, intent: Intent, signal: AbortSignal): Promise<RunResult> {
  return runPayinIntent(deps, intent, async (topup) => {
    const { status, providerPayinId } = topup;
    if (status !== 'TOPUP_AWAITING_USER_CONFIRMATION' || providerPayinId === null) return writeNothing;
    const call = { marketplaceId: topup.marketplaceId, signal };
    const found = intent.isFresh ? undefined : await deps.provider.findPayin(providerPayinId, call);
    const isOpen = found === undefined || found.outcome === 'open';
    if (!isOpen) return writeStatus(topup, found);
    await deps.intents.requireLease(intent);
    return writeStatus(topup, await cancel(deps, topup, providerPayinId, call));
  });
}

async function cancel(deps: Deps, topup: Topup, payinId: string, call: ProviderCall): Promise<PayinUpdate> {
  const canceled: PayinUpdate = { providerId: payinId, code: topup.id, amount: topup.amount, reason: null, outcome: 'canceled' };
  try {
    await deps.provider.cancelPayin(payinId, call);
    return canceled;
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    // A pay-in that the provider does not know cannot be paid either.
    return (await deps.provider.findPayin(payinId, call)) ?? canceled;
  }
}

function writeStatus({ id }: Topup, update: PayinUpdate): WriteOutcome {
  return async (tx, ctx) => {
    await applyPayin(tx, id, update, ctx);
    const after = await tx.topups.lock(id);
    if (after !== undefined && after.cancelRequest !== null) tx.topups.save({ ...after, cancelRequest: null });
  };
}
