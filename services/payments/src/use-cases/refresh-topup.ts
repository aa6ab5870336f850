import type { Context } from '@holdfast/kernel/context';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { TopupId } from '@holdfast/kernel/ids';
import type { Topup } from '../domain/topup.js';
import { applyPayinUpdate } from './apply-payin-update.js';
import { getTopup } from './get-topup.js';
import type { Deps } from './ports.js';
import type { ProviderCall } from './provider-ports.js';
import { waitForIntents } from './payment-waits.js';

/** Reads the status at the provider, and waits until a received payment is credited. */
export async function refreshTopup(deps: Deps, { id }: { readonly id: TopupId }, ctx: Context): Promise<Topup> {
  const topup = await getTopup(deps, { id }, ctx);
  if (topup.status === 'TOPUP_CREATED') await waitForIntents(deps, id, { topupId: id });
  await refreshTopupOf(deps, topup, ctx);
  return getTopup(deps, { id }, ctx);
}

type RefreshContext = Pick<Context, 'requestId' | 'at' | 'log'>;

/** For every caller that waits for the result: the refresh of a request and of a browser's return. */
export async function refreshTopupOf(deps: Deps, topup: Topup, ctx: RefreshContext): Promise<void> {
  await learnStatus(deps, topup, ctx);
  await waitForCredit(deps, topup.id).catch((error: unknown) => {
    // The caller gets the current record. The saga ends by itself.
    if (!isAppError(error, 'PROVIDER_TIMEOUT')) throw error;
  });
}

/** Waits for the saga that credits a received payment, if it runs. PROVIDER_TIMEOUT at the time limit, while the saga continues. */
export async function waitForCredit(deps: Deps, id: TopupId): Promise<void> {
  const run = (await deps.topups.findByCodeOrPayin(id, null))?.activeRun;
  if (run !== null && run !== undefined) await deps.runs.wait(run.runId, deps.settings.timeoutMs);
}

/**
 * Applies the status at the provider. Also after a failure or cancellation, because a late payment must be found; not once its
 * money is credited or in a case.
 */
export async function learnStatus(deps: Deps, topup: Topup, ctx: RefreshContext): Promise<void> {
  const { id: topupId, marketplaceId, status, providerPayinId, activeRun, isInCase } = topup;
  if (providerPayinId === null || activeRun !== null || isInCase || status === 'TOPUP_SUCCEEDED') return;
  const update = await findPayin(deps, providerPayinId, { marketplaceId });
  if (update === undefined) ctx.log.warn({ topupId, providerPayinId }, 'the payment provider does not know the pay-in');
  else await applyPayinUpdate(deps, update, ctx);
}

/** A look-up that is refused says nothing about the payment. */
async function findPayin({ provider }: Deps, payinId: string, call: ProviderCall) {
  try {
    return await provider.findPayin(payinId, call);
  } catch (error) {
    throw isAppError(error) ? error : new AppError('SERVICE_UNAVAILABLE', {}, { cause: error });
  }
}
