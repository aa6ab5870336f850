import { caseResolutionRequested, type CaseAction } from '@holdfast/contracts/messages';
import type { Caller, Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { idFromParts, type CaseId, type SagaRunId } from '@holdfast/kernel/ids';
import { moved } from '@holdfast/kernel/states';
import { applyChange, originOfRequest } from '@holdfast/sagas';
import { caseMoves } from '../domain/case-states.js';
import { isBooked, needsApproval, type Case, type CaseResolution } from '../domain/case.js';
import { caseKind } from './aggregate-kinds.js';
import { resolved } from './handle-case-replies.js';
import type { Deps, UnitOfWork } from './ports.js';
import { requireConfirmed, requirePayer } from './require-payer.js';
import { requireRelatedEnded } from './require-related-ended.js';
import { settled } from './settled.js';
import { waitForRun } from './payment-waits.js';

export type CaseDecision = { readonly id: CaseId; readonly action: CaseAction; readonly note: string };

/** `isPending`: another credential must confirm the decision. */
export type DecidedCase = { readonly isPending: boolean; readonly found: Case };

/** What one request has committed: nothing to wait for, or a saga run. */
type Recorded = { readonly isPending: boolean; readonly runId: SagaRunId | null };

/**
 * Decides what happens to the money of a case and waits until it is booked. Above the approval amount the first request is only
 * recorded, and the same decision by another credential confirms it.
 */
export async function requestCaseResolution(deps: Deps, decision: CaseDecision, ctx: Context): Promise<DecidedCase> {
  deps.runs.requireAccepting();
  const operation = { name: 'resolve-case', input: decision, ctx };
  const [checked, requireNotStopped] = await Promise.all([
    settled(check(deps, decision, ctx)),
    settled(deps.emergencyStop.requireNotStopped()),
  ]);
  const { isPending, runId } = await deps.perform(operation, async (tx) => {
    const found = await lockUndecided(tx, decision, ctx);
    requireActionAllowed(found, decision.action);
    checked();
    return record(deps, tx, { found, decision, requireNotStopped }, ctx);
  });
  if (runId !== null) await waitForRun(deps, runId, { caseId: decision.id });
  return { isPending, found: await requireCase(deps, decision.id, ctx) };
}

async function requireCase(deps: Deps, id: CaseId, { caller }: Context): Promise<Case> {
  const found = await deps.cases.find(caller.marketplaceId, id);
  if (found === undefined) throw new AppError('CASE_NOT_FOUND', { caseId: id });
  return found;
}

/** What is not in the case itself. It is read before the transaction, and counts only if the case allows the action at all. */
async function check(deps: Deps, { id, action }: CaseDecision, { caller }: Context): Promise<void> {
  const found = action === 'write_off' ? undefined : await deps.cases.find(caller.marketplaceId, id);
  if (found === undefined) return;
  if (action === 'credit') await requireRelatedEnded(deps, found);
  if (found.origin !== 'payins' || found.amount.units < 0n) return;
  if (deps.settings.payinConfirmation !== undefined) await requireConfirmed(deps, found);
  if (action === 'return') await requirePayer(deps, found);
}

type Decided = { readonly found: Case; readonly decision: CaseDecision; readonly requireNotStopped: () => void };

function record(deps: Deps, tx: UnitOfWork, { found, decision, requireNotStopped }: Decided, ctx: Context): Recorded {
  const requested = requestedBefore(found, decision);
  const isFirst = requested === undefined || requested.requestedBy === ctx.caller.id;
  if (needsApproval(found, deps.settings.caseApprovalUnits) && isFirst) return recordRequest(tx, found, decision, ctx);
  // Only a return pays out.
  if (decision.action === 'return') requireNotStopped();
  const resolution: CaseResolution = {
    action: decision.action,
    note: requested?.note ?? decision.note,
    requestedBy: requested?.requestedBy ?? ctx.caller.id,
    approvedBy: isFirst ? null : ctx.caller.id,
    resolvedAt: null,
  };
  return carryOut(tx, found, resolution, ctx);
}

async function lockUndecided(tx: UnitOfWork, decision: CaseDecision, { caller }: Context): Promise<Case> {
  const found = await tx.cases.lock(decision.id);
  if (found?.marketplaceId !== caller.marketplaceId || !isFor(found, decision, caller))
    throw new AppError('CASE_NOT_FOUND', { caseId: decision.id });
  moved(caseMoves, 'decide', found.status);
  if (found.activeRun !== null) throw new AppError('INVALID_STATE', { operation: found.activeRun.saga });
  return found;
}

/** A case without a user is for the master key. Another credential may only confirm what the master key has requested. */
function isFor(found: Case, decision: CaseDecision, { type }: Caller): boolean {
  return found.userId !== null || type === 'master' || requestedBefore(found, decision) !== undefined;
}

/** A credit needs a user, a return a payment that came in. What is not booked can only be written off. */
function requireActionAllowed(found: Case, action: CaseAction): void {
  if (action === 'write_off') return;
  if (found.kind === 'quarantined_record')
    throw invalidAction('action must be write_off, because the amount of a quarantined record is unknown');
  if (!isBooked(found)) throw invalidAction('action must be write_off, because the money of this case is not booked');
  if (found.userId === null) throw invalidAction(`action must not be ${action}, because the case has no user`);
  if (action === 'credit') return;
  if (found.origin !== 'payins' || found.amount.units < 0n)
    throw invalidAction('action must not be return, because the money did not come from a payment account');
}

function invalidAction(fault: string): AppError {
  return new AppError('VALIDATION_ERROR', { validationErrors: [fault] });
}

/** The earlier request for the same action. A request for another action replaces it. */
function requestedBefore({ status, resolution }: Case, { action }: CaseDecision): CaseResolution | undefined {
  return status === 'PENDING_APPROVAL' && resolution?.action === action ? resolution : undefined;
}

function recordRequest(tx: UnitOfWork, found: Case, { action, note }: CaseDecision, ctx: Context): Recorded {
  if (requestedBefore(found, { id: found.id, action, note }) !== undefined) return { isPending: true, runId: null };
  const status = moved(caseMoves, 'requestApproval', found.status);
  const resolution = { action, note, requestedBy: ctx.caller.id, approvedBy: null, resolvedAt: null };
  const entry = entryOf('CASE_RESOLUTION_REQUESTED', found, { status, resolution });
  applyChange(tx, caseKind, found, {
    change: { after: { ...found, status, resolution }, events: [], auditEntries: [entry] },
    origin: originOfRequest(ctx),
  });
  return { isPending: true, runId: null };
}

function carryOut(tx: UnitOfWork, found: Case, resolution: CaseResolution, ctx: Context): Recorded {
  const status = moved(caseMoves, 'decide', found.status);
  const action = resolution.approvedBy === null ? 'CASE_RESOLUTION_REQUESTED' : 'CASE_RESOLUTION_APPROVED';
  const entry = entryOf(action, found, { status, resolution });
  const returns = resolution.action === 'return' ? found.returns + 1 : found.returns;
  const decided: Case = { ...found, status, resolution, returns };
  const origin = originOfRequest(ctx);
  if (!isBooked(found)) {
    const change = resolved(decided, ctx.at);
    applyChange(tx, caseKind, found, { change: { ...change, auditEntries: [entry, ...change.auditEntries] }, origin });
    return { isPending: false, runId: null };
  }
  // The command of a return is sent once the payout is completed.
  const starts = { saga: 'resolve-case', command: caseResolutionRequested } as const;
  const change = { after: decided, events: [], auditEntries: [entry], starts } as const;
  const { activeRun } = applyChange(tx, caseKind, found, { change, origin });
  const runId = activeRun?.runId ?? null;
  if (resolution.action === 'return' && runId !== null) insertReturn(tx, decided, runId, ctx);
  return { isPending: false, runId };
}

/** The payout of a return goes first; its intent ends the saga run, or lets the ledger book it. */
function insertReturn(tx: UnitOfWork, { id, marketplaceId }: Case, runId: SagaRunId, { at, requestId }: Context): void {
  tx.intents.insert({
    id: idFromParts('evt', at, [runId, 'return-case']),
    kind: 'return-case',
    subject: id,
    priority: 1,
    marketplaceId,
    correlationId: requestId,
    saga: 'resolve-case',
    sagaRunId: runId,
    requestedAt: at,
    payload: { caseId: id },
  });
}

function entryOf(
  name: string,
  before: Case,
  { status, resolution }: Pick<Case, 'status'> & { readonly resolution: CaseResolution },
) {
  const { action, note, requestedBy, approvedBy } = resolution;
  return {
    action: name,
    reason: note,
    before: { status: before.status },
    after: { status, action, requestedBy, approvedBy },
  };
}
