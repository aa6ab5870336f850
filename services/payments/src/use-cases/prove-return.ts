import { returnCodeOf, type Case } from '../domain/case.js';
import { verdictOn } from '../domain/payment-proof.js';
import type { Deps } from './ports.js';
import { refuse, type EndPayment, type ResolvePayment } from './resolution-ports.js';

/** The next run of the intent cancels what the provider has, and sends nothing. */
const cancelRequested = { isCancelRequested: true } as const;

/**
 * The payout that returns the money of a case: the payment provider's record decides which outcome can be true. Its intent ends it, so
 * that nothing is sent meanwhile.
 */
export async function proveReturn(deps: Deps, found: Case, { outcome }: ResolvePayment): Promise<EndPayment> {
  const { id: subject, marketplaceId, amount } = found;
  if (!isReturning(found))
    return refuse(
      'only the payout of a return has an outcome to decide; "npm run sagas -- redrive" resends the command of a run',
    );
  const record = await deps.provider.findPayoutByCode(returnCodeOf(found), { marketplaceId });
  const verdict = verdictOn(outcome, 'payout', { record, units: amount.units });
  if (typeof verdict === 'object') return refuse(verdict.objection);
  const state = verdict === 'call-off' ? cancelRequested : {};
  return () => deps.inTransaction((tx) => tx.intents.requestOfOpen({ subject, marketplaceId }, state));
}

function isReturning({ activeRun, resolution, providerPayoutId }: Case): boolean {
  return activeRun?.saga === 'resolve-case' && resolution?.action === 'return' && providerPayoutId === null;
}
