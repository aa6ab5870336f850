import type { Intent, RunResult } from '@holdfast/intents';
import { formatMoney } from '@holdfast/kernel/money';
import type { PayinUpdate } from '../domain/provider-updates.js';
import { cancellationOf, type Topup } from '../domain/topup.js';
import { applyPayin } from './apply-payin-update.js';
import type { Deps } from './ports.js';
import { ProviderRefused, type NewPayin, type ProviderCall } from './provider-ports.js';
import { runPayinIntent, writeChange, writeNothing, type WriteOutcome } from './run-payin-intent.js';
import { cancel, fail } from './topup-changes.js';

/**
 * Creates the pay-in of a top-up. An earlier run may have created it without learning so; then it is looked up by its code before
 * anything else. After an error the intent runs again, until the top-up expires.
 */
export function createPayin(deps: Deps, intent: Intent, signal: AbortSignal): Promise<RunResult> {
  return runPayinIntent(deps, intent, async (topup) => {
    if (topup.status !== 'TOPUP_CREATED') return writeNothing;
    const call = { marketplaceId: topup.marketplaceId, signal };
    const found = intent.isFresh ? undefined : await deps.provider.findPayinByCode(topup.id, call);
    if (found !== undefined) return outcomeOf(deps, topup, found);
    const cancellation = cancellationOf(topup, await deps.testClocks.timeAt(topup.marketplaceId, deps.clock.now()));
    if (cancellation !== undefined) return writeChange(topup, (change) => cancel(change, cancellation), cancellation.actor);
    await deps.intents.requireLease(intent);
    return create(deps, topup, call);
  });
}

async function create(deps: Deps, topup: Topup, call: ProviderCall): Promise<WriteOutcome> {
  try {
    return outcomeOf(deps, topup, await deps.provider.createPayin(payinOf(deps, topup), call));
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    return writeChange(topup, (change) => fail(change, { reason: error.message, errorCode: error.code }));
  }
}

/** The provider redirects the browser to our callback, which refreshes the top-up and redirects to the marketplace. */
function payinOf({ settings }: Deps, { id, amount, description }: Topup): NewPayin {
  const callback = (status: string): string => `${settings.publicUrl}/api/v1/topups/${id}/callback?status=${status}`;
  return {
    code: id,
    amount,
    description: description ?? `Top-up of ${formatMoney(amount)} ${amount.currency}`,
    confirmationUri: callback('confirmed'),
    cancelUri: callback('canceled'),
  };
}

/** The confirmation page of a pay-in that differs from the request is never shown. If its money arrives anyway, it opens a case. */
function outcomeOf({ log }: Deps, topup: Topup, payin: PayinUpdate): WriteOutcome {
  if (payin.outcome !== 'succeeded' && !isRequested(topup, payin)) {
    log.error({ topupId: topup.id, payinId: payin.providerId }, 'the pay-in at the payment provider differs from the top-up');
    return writeChange(topup, ({ after, ...change }) =>
      fail({ ...change, after: { ...after, providerPayinId: payin.providerId } }, { reason: differsText, errorCode: null }),
    );
  }
  if (payin.outcome === 'open' && payin.confirmationUri === undefined)
    throw new Error(`The payment provider names no confirmation page for top-up ${topup.id}.`);
  return (tx, ctx) => applyPayin(tx, topup.id, payin, ctx);
}

const differsText = 'The payment at the payment provider differs from the top-up.';

function isRequested({ id, amount }: Topup, payin: PayinUpdate): boolean {
  return (payin.code === null || payin.code === id) && payin.amount?.units === amount.units;
}
