import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { Case } from '../domain/case.js';
import type { PayinUpdate } from '../domain/provider-updates.js';
import type { Deps } from './ports.js';

export const payerUnknown = 'The payment provider does not name the payer of this payment.';

type PayinCase = Pick<Case, 'sourceId'> & { readonly marketplaceId: MarketplaceId };

/** PAYMENT_ACCOUNT_INVALID if the payer of the case's money is unknown: the linked account need not have paid. */
export async function requirePayer(deps: Pick<Deps, 'provider'>, found: PayinCase): Promise<void> {
  const payin = await readPayin(deps, found);
  if (payin?.payerEmail === undefined) throw new AppError('PAYMENT_ACCOUNT_INVALID', { reason: payerUnknown });
}

/** INVALID_STATE if the payment provider has not received this payment, where an event alone is not enough. */
export async function requireConfirmed(deps: Pick<Deps, 'provider'>, found: PayinCase): Promise<void> {
  if ((await readPayin(deps, found))?.outcome === 'succeeded') return;
  const reason = 'The payment provider does not confirm this payment.';
  throw new AppError('INVALID_STATE', { reason }, { message: reason });
}

/** A look-up that is refused says nothing about the payment. */
async function readPayin({ provider }: Pick<Deps, 'provider'>, found: PayinCase): Promise<PayinUpdate | undefined> {
  try {
    return await provider.findPayin(found.sourceId, { marketplaceId: found.marketplaceId });
  } catch (error) {
    throw isAppError(error) ? error : new AppError('SERVICE_UNAVAILABLE', {}, { cause: error });
  }
}
