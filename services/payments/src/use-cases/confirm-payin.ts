import { handleAllDue } from '@holdfast/kernel/async';
import { toEpochMs, type Context, type Log } from '@holdfast/kernel/context';
import { money } from '@holdfast/kernel/money';
import type { NewCase } from '../domain/case.js';
import type { PayinUpdate } from '../domain/provider-updates.js';
import type { Topup } from '../domain/topup.js';
import { paymentProviderSource } from './apply-payin-update.js';
import { openCase } from './open-case.js';
import type { Deps, UnitOfWork } from './ports.js';

export type ConfirmContext = Pick<Context, 'requestId' | 'at' | 'log'>;

const batchTopupsMax = 20;

/** Reads all credited pay-ins that only an event has reported, until the provider confirms them or they are cases. */
export async function confirmDuePayins(
  deps: Deps,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  const { payinConfirmation } = deps.settings;
  if (payinConfirmation === undefined) return;
  await handleAllDue({
    take: (limitMax) => deps.topups.takeUnconfirmed(limitMax, payinConfirmation.readAgainMs),
    handle: async (topup) => {
      const ctx = { requestId: `confirm-${topup.id}`, at: deps.clock.now(), log };
      await confirmPayin(deps, topup, ctx).catch((error: unknown) => {
        // Withdrawals of the user stay held, and the pay-in is read again.
        log.warn({ topupId: topup.id, error }, 'a credited pay-in could not be read at the payment provider');
      });
    },
    batchMax: batchTopupsMax,
    signal,
  });
}

/** Rejects if the provider does not respond; then nothing is known. */
export async function confirmPayin(deps: Deps, topup: Topup, ctx: ConfirmContext): Promise<void> {
  const { id, marketplaceId, providerPayinId } = topup;
  const payin =
    providerPayinId === null
      ? await deps.provider.findPayinByCode(id, { marketplaceId })
      : await deps.provider.findPayin(providerPayinId, { marketplaceId });
  const confirmedUnits = confirmedUnitsOf(topup, payin);
  await deps.inTransaction(async (tx) => {
    const locked = await tx.topups.lock(id);
    if (locked === undefined || locked.unconfirmedSince === null) return;
    if (confirmedUnits !== locked.amount.units) {
      // The provider may be slower than its own event.
      const ageMs = toEpochMs(ctx.at) - toEpochMs(locked.unconfirmedSince);
      if (ageMs < (deps.settings.payinConfirmation?.afterMs ?? 0)) return;
      await openUnconfirmed(tx, locked, confirmedUnits, ctx);
    }
    tx.topups.save({ ...locked, unconfirmedSince: null, nextConfirmationAt: null });
  });
}

/** What the provider says that it has received for this top-up. */
function confirmedUnitsOf({ id }: Topup, payin: PayinUpdate | undefined): bigint {
  if (payin?.outcome !== 'succeeded' || (payin.code !== null && payin.code !== id)) return 0n;
  return payin.amount?.units ?? 0n;
}

/**
 * The case takes what the provider does not have out of the booked pay-ins, so that `credit` takes it back from the user. It holds
 * the user's withdrawals while it is open.
 */
async function openUnconfirmed(tx: UnitOfWork, topup: Topup, confirmedUnits: bigint, ctx: ConfirmContext): Promise<void> {
  const { id, marketplaceId, userId, amount, providerPayinId } = topup;
  const found: NewCase = {
    kind: 'unconfirmed_payment',
    marketplaceId,
    userId,
    amount: money(confirmedUnits - amount.units, amount.currency),
    origin: 'payins',
    source: paymentProviderSource,
    sourceId: providerPayinId ?? id,
    reason: 'A signed event has reported a payment, which was credited; the payment provider does not confirm it.',
    relatedId: id,
  };
  await openCase(tx, found, ctx);
  ctx.log.error({ topupId: id, userId, providerPayinId }, 'a credited payment is not confirmed by the payment provider');
}
