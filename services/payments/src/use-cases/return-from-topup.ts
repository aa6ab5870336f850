import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { TopupId } from '@holdfast/kernel/ids';
import { isFinal, type Topup } from '../domain/topup.js';
import type { Deps } from './ports.js';
import type { PaymentSettings } from './payment-settings.js';
import { refreshTopupOf } from './refresh-topup.js';

export type ReturnFromTopup = { readonly id: TopupId; readonly status?: string | undefined };

export type BrowserReturn = { readonly topup: Topup; readonly redirectTo: string | null };

/** The provider redirects the user's browser here, without a credential. The status in the URL decides nothing about the money. */
export async function returnFromTopup(deps: Deps, { id, status }: ReturnFromTopup, ctx: Context): Promise<BrowserReturn> {
  const before = await find(deps, id);
  if (!isFinal(before) && (await deps.topups.takeReturn(id))) {
    await refreshTopupOf(deps, before, ctx).catch((error: unknown) => {
      ctx.log.warn({ topupId: id, error }, 'a top-up could not be refreshed when its browser returned');
    });
  }
  const topup = await find(deps, id);
  return { topup, redirectTo: redirectOf(deps.settings, topup, status === 'canceled') };
}

async function find(deps: Deps, id: TopupId): Promise<Topup> {
  const topup = await deps.topups.findByCodeOrPayin(id, null);
  if (topup === undefined) throw new AppError('TOPUP_NOT_FOUND', { topupId: id });
  return topup;
}

/** Only URLs that were stored with the top-up or configured, never one of the request. */
function redirectOf(settings: PaymentSettings, topup: Topup, saysCanceled: boolean): string | null {
  const { status, returnUrl, cancelUrl } = topup;
  const isCanceled = isFinal(topup) ? status !== 'TOPUP_SUCCEEDED' : saysCanceled;
  const ofReturn = returnUrl ?? settings.topupReturnUrl ?? null;
  return isCanceled ? (cancelUrl ?? returnUrl ?? settings.topupCancelUrl ?? ofReturn) : ofReturn;
}
