import {
  caseResolved,
  type Envelope,
  type Payload,
  type balanceCaseBooked,
  type balanceCaseCleared,
  type balanceCaseRefused,
} from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { Context, Instant } from '@holdfast/kernel/context';
import type { CaseId } from '@holdfast/kernel/ids';
import { moved } from '@holdfast/kernel/states';
import { event, type Change, type RunEnd } from '@holdfast/sagas';
import { caseMoves } from '../domain/case-states.js';
import type { Case } from '../domain/case.js';
import { caseKind } from './aggregate-kinds.js';
import { handleReply } from './handle-reply.js';
import type { Deps } from './ports.js';

export function handleCaseBooked(
  deps: Deps,
  message: Envelope<Payload<typeof balanceCaseBooked>>,
  ctx: Context,
): Promise<Published> {
  return handleCaseReply(deps, message, ctx, (found) => ({
    after: { ...found, bookedAt: ctx.at },
    events: [],
    auditEntries: [],
  }));
}

export function handleCaseCleared(
  deps: Deps,
  message: Envelope<Payload<typeof balanceCaseCleared>>,
  ctx: Context,
): Promise<Published<'reconciliation.case_resolved'>> {
  return handleCaseReply(deps, message, ctx, (found) => resolved(found, ctx.at));
}

/** The case is resolved; the entry names what was done. */
export function resolved(found: Case, at: Instant): Change<Case, 'reconciliation.case_resolved'> {
  const status = moved(caseMoves, 'resolve', found.status);
  const resolution = found.resolution === null ? null : { ...found.resolution, resolvedAt: at };
  const entry = {
    action: 'CASE_RESOLVED',
    reason: resolution?.note ?? null,
    before: { status: found.status },
    after: { status, action: resolution?.action, requestedBy: resolution?.requestedBy, approvedBy: resolution?.approvedBy },
  };
  const { id: caseId, kind, source, sourceId } = found;
  const events = [event(caseResolved, { caseId, kind, source, sourceId })];
  return { after: { ...found, status, resolution }, events, auditEntries: [entry] };
}

/** The ledger cannot book the decision, so the case is as it was before the decision. */
export function handleCaseRefused(
  deps: Deps,
  message: Envelope<Payload<typeof balanceCaseRefused>>,
  ctx: Context,
): Promise<Published> {
  const { code, details } = message.payload;
  return handleCaseReply(deps, message, ctx, (found) => ({
    ...notResolved(found, code),
    failure: { code, details },
  }));
}

export function notResolved(found: Case, reason: string): Change<Case, never> {
  const entry = {
    action: 'CASE_RESOLUTION_FAILED',
    result: 'FAILURE',
    reason,
    before: { status: found.status, action: found.resolution?.action },
    after: { status: found.status },
  } as const;
  return { after: { ...found, resolution: null }, events: [], auditEntries: [entry] };
}

type CaseReply = Envelope<{ readonly caseId: CaseId }>;

function handleCaseReply<EventType extends string = never>(
  deps: Deps,
  message: CaseReply,
  ctx: Context,
  decide: (found: Case) => RunEnd<Case, EventType>,
): Promise<Published<EventType>> {
  const { caseId } = message.payload;
  return handleReply(deps, { message, kind: caseKind, lock: (tx) => tx.cases.lock(caseId) }, ctx, decide);
}
