import type { Context } from '@holdfast/kernel/context';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import { isId, type MarketplaceId } from '@holdfast/kernel/ids';
import { parseMoney, type Money } from '@holdfast/kernel/money';
import { applyChange, type Aggregate, type AggregateKind } from '@holdfast/sagas';
import { returnCodeOf } from '../domain/case.js';
import { isFinal } from '../domain/topup.js';
import { caseKind, topupKind, withdrawalKind } from './aggregate-kinds.js';
import type { Deps, UnitOfWork } from './ports.js';
import { proveReturn } from './prove-return.js';
import { proveTopup } from './prove-topup.js';
import { proveWithdrawal } from './prove-withdrawal.js';
import { refuse, type EndPayment, type OperatorKey, type PaymentResolution, type ResolvePayment } from './resolution-ports.js';

export type ResolvedPayment = Pick<PaymentResolution, 'requestedBy' | 'approvedBy'> & {
  readonly status: 'RESOLVED' | 'PENDING_APPROVAL';
  readonly paymentStatus: string;
  readonly isEnded: boolean;
};

/** A top-up, a withdrawal or the return of a case. */
type Payment = {
  /** Of its resolution. */
  readonly paymentId: string;
  readonly status: string;
  readonly amount: Money;
  readonly isEnded: boolean;
  readonly prove: Prove;
  /** One decision at a time. */
  readonly lock: (tx: UnitOfWork) => Promise<unknown>;
  readonly audit: (tx: UnitOfWork, resolution: PaymentResolution, recording: Recording) => Promise<void>;
};

type Prove = (input: ResolvePayment, ctx: Context) => Promise<EndPayment>;

/**
 * Ends a payment that cannot end by itself, if the network or the payment provider proves the outcome. Above an amount the first call
 * stores the request, and another API key confirms it. The decision is committed first; a repeated command ends the payment again,
 * which changes nothing if it has ended. See ADR 0077.
 */
export async function resolvePayment(deps: Deps, input: ResolvePayment, ctx: Context): Promise<ResolvedPayment> {
  const key = await requireKey(deps, input, ctx);
  const payment = await requirePayment(deps, input, key.marketplaceId);
  const earlier = await deps.inTransaction((tx) => tx.resolutions.lock(payment.paymentId));
  if (earlier !== undefined && earlier.resolvedAt !== null) return endAgain(payment, earlier, input, ctx);
  if (payment.isEnded) return refuse(`it has ended with ${payment.status}`);
  const end = await payment.prove(input, ctx);
  const resolution = await decide(deps, payment, { input, key }, ctx);
  if (resolution.resolvedAt !== null) await end();
  const about = {
    paymentId: payment.paymentId,
    outcome: input.outcome,
    apiKeyId: key.id,
    isResolved: resolution.resolvedAt !== null,
  };
  ctx.log.warn(about, 'an operator has decided about a payment');
  return viewOf(await requirePayment(deps, input, key.marketplaceId), resolution);
}

/** A repeated command: the one before may have died after its decision. A payment that cannot be proved any more is about to end. */
async function endAgain(
  payment: Payment,
  resolution: PaymentResolution,
  input: ResolvePayment,
  ctx: Context,
): Promise<ResolvedPayment> {
  requireSame(resolution, input);
  if (payment.isEnded) return viewOf(payment, resolution);
  const end = await payment.prove(input, ctx).catch((error: unknown) => {
    if (isAppError(error, 'INVALID_STATE')) return undefined;
    throw error;
  });
  await end?.();
  return viewOf(payment, resolution);
}

async function requireKey(deps: Deps, { credential }: ResolvePayment, ctx: Context): Promise<OperatorKey> {
  const key = await deps.credentials.verify(credential, ctx);
  if (key === undefined) return refuse('the credential is not a valid API key');
  return key.isSupport ? key : refuse(`the API key ${key.id} does not have the scope support`);
}

async function requirePayment(deps: Deps, { id }: ResolvePayment, marketplaceId: MarketplaceId): Promise<Payment> {
  const payment = await findPayment(deps, id, marketplaceId);
  if (payment === undefined) throw new AppError('NOT_FOUND', { paymentId: id });
  return payment;
}

const endedWithdrawals: readonly string[] = ['WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'];

async function findPayment(deps: Deps, id: string, marketplaceId: MarketplaceId): Promise<Payment | undefined> {
  if (isId(id, 'topup')) {
    const found = await deps.topups.find(marketplaceId, id);
    const ofKind = auditedBy(topupKind, (tx) => tx.topups.lock(id));
    const prove: Prove = (input, ctx) => proveTopup(deps, required(found), input, ctx);
    return found === undefined ? undefined : { ...found, ...ofKind, paymentId: id, isEnded: isFinal(found), prove };
  }
  if (isId(id, 'wd')) {
    const found = await deps.withdrawals.find(marketplaceId, id);
    const ofKind = auditedBy(withdrawalKind, (tx) => tx.withdrawals.lock(id));
    const prove: Prove = (input, ctx) => proveWithdrawal(deps, required(found), input, ctx);
    if (found === undefined) return undefined;
    return { ...found, ...ofKind, paymentId: id, isEnded: endedWithdrawals.includes(found.status), prove };
  }
  if (!isId(id, 'rcc')) return undefined;
  const found = await deps.cases.find(marketplaceId, id);
  const ofKind = auditedBy(caseKind, (tx) => tx.cases.lock(id));
  const prove: Prove = (input) => proveReturn(deps, required(found), input);
  if (found === undefined) return undefined;
  return { ...found, ...ofKind, paymentId: returnCodeOf(found), isEnded: found.activeRun === null, prove };
}

function required<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Error('There is no payment to prove.');
  return found;
}

type Decision = { readonly input: ResolvePayment; readonly key: OperatorKey };

function decide(deps: Deps, payment: Payment, decision: Decision, ctx: Context): Promise<PaymentResolution> {
  const { input, key } = decision;
  return deps.inTransaction(async (tx) => {
    await payment.lock(tx);
    const earlier = await tx.resolutions.lock(payment.paymentId);
    if (earlier !== undefined && (earlier.resolvedAt !== null || earlier.requestedKey !== key.id))
      return confirm(tx, payment, { earlier, ...decision }, ctx);
    const request = requestOf(payment, decision, ctx);
    if (!needsApproval(deps, payment)) return record(tx, payment, { ...request, resolvedAt: ctx.at }, { input, ctx });
    // Only a changed request is written, so that a repeated command leaves no second audit entry.
    return earlier !== undefined && isSame(earlier, input) ? earlier : record(tx, payment, request, { input, ctx });
  });
}

/** Another API key confirms the same decision. One that was carried out is not decided again. */
function confirm(
  tx: UnitOfWork,
  payment: Payment,
  { earlier, input, key }: Decision & { readonly earlier: PaymentResolution },
  ctx: Context,
): Promise<PaymentResolution> | PaymentResolution {
  requireSame(earlier, input);
  if (earlier.resolvedAt !== null) return earlier;
  const approval = { approvedBy: input.by, approvedKey: key.id, approvalEvidence: input.evidence };
  return record(tx, payment, { ...earlier, ...approval, resolvedAt: ctx.at }, { input, ctx });
}

type Recording = { readonly input: ResolvePayment; readonly ctx: Context };

async function record(
  tx: UnitOfWork,
  payment: Payment,
  resolution: PaymentResolution,
  recording: Recording,
): Promise<PaymentResolution> {
  await tx.resolutions.save(resolution);
  await payment.audit(tx, resolution, recording);
  return resolution;
}

function needsApproval({ settings: { resolveApprovalAmount } }: Deps, { amount }: Payment): boolean {
  if (resolveApprovalAmount === undefined) return false;
  const units = amount.units < 0n ? -amount.units : amount.units;
  return units > parseMoney(resolveApprovalAmount, amount.currency).units;
}

function requestOf({ paymentId }: Payment, { input, key }: Decision, { at }: Context): PaymentResolution {
  return {
    paymentId,
    outcome: input.outcome,
    transactionHash: input.transactionHash ?? null,
    requestedBy: input.by,
    requestedKey: key.id,
    requestedAt: at,
    evidence: input.evidence,
    approvedBy: null,
    approvedKey: null,
    approvalEvidence: null,
    resolvedAt: null,
  };
}

function isSame(earlier: PaymentResolution, { outcome, transactionHash }: ResolvePayment): boolean {
  return earlier.outcome === outcome && earlier.transactionHash === (transactionHash ?? null);
}

function requireSame(earlier: PaymentResolution, input: ResolvePayment): void {
  if (!isSame(earlier, input)) refuse(`${earlier.requestedBy} requested "${earlier.outcome}" with other values`);
}

function auditedBy<A extends Aggregate>(
  kind: AggregateKind<A, UnitOfWork>,
  lock: (tx: UnitOfWork) => Promise<A | undefined>,
): Pick<Payment, 'lock' | 'audit'> {
  return {
    lock,
    audit: async (tx, resolution, { input: { by }, ctx }) => {
      const before = required(await lock(tx));
      const { outcome, transactionHash, requestedBy, requestedKey, approvedBy, approvedKey } = resolution;
      const { status } = before;
      const entry = {
        action: resolution.resolvedAt === null ? 'SAGA_RESOLVE_REQUESTED' : 'SAGA_RESOLVED',
        reason: resolution.approvalEvidence ?? resolution.evidence,
        before: { status },
        after: { status, outcome, transactionHash, requestedBy, requestedKey, approvedBy, approvedKey },
      };
      const origin = { actor: { type: 'operator', id: by }, at: ctx.at, correlationId: ctx.requestId };
      applyChange(tx, kind, before, { change: { after: before, events: [], auditEntries: [entry] }, origin });
    },
  };
}

function viewOf({ status: paymentStatus, isEnded }: Payment, resolution: PaymentResolution): ResolvedPayment {
  const { requestedBy, approvedBy, resolvedAt } = resolution;
  return { status: resolvedAt === null ? 'PENDING_APPROVAL' : 'RESOLVED', paymentStatus, isEnded, requestedBy, approvedBy };
}
