import type { Context } from '@holdfast/kernel/context';
import { verdictOn } from '../domain/payment-proof.js';
import type { PayoutUpdate } from '../domain/provider-updates.js';
import type { Withdrawal } from '../domain/withdrawal.js';
import { applyPayoutUpdate } from './apply-payout-update.js';
import { requestCancellation } from './cancel-withdrawal.js';
import type { Deps } from './ports.js';
import { refuse, type EndPayment, type ResolvePayment } from './resolution-ports.js';

/** The network or the payment provider decides which outcome can be true. Returns what ends the withdrawal accordingly. */
export async function proveWithdrawal(
  deps: Deps,
  withdrawal: Withdrawal,
  input: ResolvePayment,
  ctx: Context,
): Promise<EndPayment> {
  const { committedAt, outcome, destinationType } = withdrawal;
  if (committedAt === null) return refuse('nothing of it can have been sent, because it was not committed; cancel it instead');
  if (outcome !== null) return refuse('its outcome is known; "npm run sagas -- redrive" resends the command of its run');
  return destinationType === 'ledger'
    ? proveOnNetwork(deps, withdrawal, input, ctx)
    : proveAtProvider(deps, withdrawal, input, ctx);
}

async function proveOnNetwork(deps: Deps, withdrawal: Withdrawal, input: ResolvePayment, ctx: Context): Promise<EndPayment> {
  const { id, marketplaceId } = withdrawal;
  const { outcome, transactionHash } = input;
  const proof = { id, marketplaceId, outcome, ...(transactionHash === undefined ? {} : { transactionHash }) };
  await deps.ledgerPayouts.resolve({ ...proof, isCheck: true }, ctx);
  return async () => {
    if (outcome === 'failed') await callOff(deps, withdrawal, input);
    await deps.ledgerPayouts.resolve({ ...proof, isCheck: false }, ctx);
  };
}

async function proveAtProvider(deps: Deps, withdrawal: Withdrawal, input: ResolvePayment, ctx: Context): Promise<EndPayment> {
  const record = await findPayout(deps, withdrawal);
  const verdict = verdictOn(input.outcome, 'payout', { record, units: withdrawal.amount.units });
  if (typeof verdict === 'object') return refuse(verdict.objection);
  if (verdict === 'apply' && record !== undefined) return () => applyPayoutUpdate(deps, record, ctx);
  // The run that holds the lease cancels at the provider what was not committed, before the amount is released.
  if (withdrawal.status === 'WITHDRAWAL_COMMITTED') return () => callOff(deps, withdrawal, input);
  return refuse(`it is ${withdrawal.status}, but the payment provider does not say that it has ended`);
}

function callOff(deps: Deps, { id }: Withdrawal, { by, evidence }: ResolvePayment): Promise<unknown> {
  return deps.inTransaction(async (tx) => {
    const before = await tx.withdrawals.lock(id);
    if (before?.status !== 'WITHDRAWAL_COMMITTED' || before.outcome !== null) return;
    await requestCancellation(tx, before, { canceledBy: by, reason: evidence });
  });
}

/** The code of a payout is the withdrawal's id. A known payout that the provider does not find proves nothing. */
async function findPayout(
  { provider }: Deps,
  { id, marketplaceId, providerPayoutId }: Withdrawal,
): Promise<PayoutUpdate | undefined> {
  if (providerPayoutId === null) return provider.findPayoutByCode(id, { marketplaceId });
  const found = await provider.findPayout(providerPayoutId, { marketplaceId });
  return found ?? refuse(`the payment provider does not find the payout ${providerPayoutId}`);
}
