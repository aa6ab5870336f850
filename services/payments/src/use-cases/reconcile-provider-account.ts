import { providerAccountChanged } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { baseCurrency, formatUnits } from '@holdfast/kernel/money';
import type { ReportContext } from './compare-payments.js';
import type { Deps, UnitOfWork } from './ports.js';
import type { Statement, StatementItem } from './provider-ports.js';

/** The platform's balance at the provider, with a statement of the same moment. */
export type ProviderAccount = { readonly balanceUnits: bigint; readonly statement: Statement };

/**
 * Books the fees that the provider has charged, and at the first time what the balance has beyond all payments: the capital. Returns
 * what the balance has beyond payments, fees and capital.
 */
export async function reconcileProviderAccount(
  deps: Deps,
  { balanceUnits, statement, unreadableUnits }: ProviderAccount & { readonly unreadableUnits: bigint },
  ctx: ReportContext,
): Promise<bigint> {
  const beyond = balanceUnits - movedUnits(statement) - unreadableUnits;
  return deps.inTransaction(async (tx) => {
    const fees = [...statement.payins, ...statement.payouts]
      .filter(({ feeUnits }) => feeUnits !== 0n)
      .map(({ providerId, feeUnits }) => ({ providerId, units: feeUnits }));
    const charged = await tx.providerAccount.recordFees(fees);
    const capital = await tx.providerAccount.recordCapital(beyond);
    publish(tx, 'fees', charged, ctx);
    if (capital.isNew) publish(tx, 'capital', capital.units, ctx);
    return beyond - capital.units;
  });
}

/** A fee is taken out of a pay-in and added to a payout. A payout leaves the balance before it is completed. */
function movedUnits({ payins, payouts, pendingPayouts }: Statement): bigint {
  const sum = (items: readonly StatementItem[], sign: 1n | -1n): bigint =>
    items.reduce((total, { amount, feeUnits }) => total + amount.units + sign * feeUnits, 0n);
  return sum(payins, -1n) - sum(payouts, 1n) - sum(pendingPayouts, 1n);
}

function publish(tx: UnitOfWork, change: 'fees' | 'capital', units: bigint, { requestId }: ReportContext): void {
  if (units === 0n) return;
  tx.publish({
    declaration: providerAccountChanged,
    aggregateId: 'provider_account',
    aggregateVersion: 0,
    marketplaceId: defaultMarketplaceId,
    correlationId: requestId,
    payload: { change, amount: formatUnits(units), currency: baseCurrency },
  });
}
