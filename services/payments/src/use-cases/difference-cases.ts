import type { Context } from '@holdfast/kernel/context';
import type { CaseId } from '@holdfast/kernel/ids';
import { moved } from '@holdfast/kernel/states';
import { caseResolved } from '@holdfast/contracts/messages';
import { applyChange, event, type Change } from '@holdfast/sagas';
import { caseMoves } from '../domain/case-states.js';
import type { Case, NewCase } from '../domain/case.js';
import { differenceOf } from '../domain/custody-difference.js';
import { caseKind } from './aggregate-kinds.js';
import { openCase } from './open-case.js';
import { serviceActor } from './origin.js';
import type { Deps, UnitOfWork } from './ports.js';

type CaseContext = Pick<Context, 'requestId' | 'at' | 'log'>;

/** Opens the case about a difference, or opens it again where it had vanished. What a person has decided about stays decided. */
export async function openDifference(tx: UnitOfWork, found: NewCase, ctx: CaseContext): Promise<void> {
  if (await openCase(tx, found, ctx)) return;
  const before = await tx.cases.lockOfSource(found);
  if (before !== undefined && hasVanished(before)) apply(tx, before, reopened(before), ctx);
}

/** Closes the open cases about other differences of the account than this one: they have vanished. */
export async function closeVanished(deps: Deps, sourceId: string, ctx: CaseContext): Promise<void> {
  const { account } = differenceOf(sourceId);
  const open = await deps.cases.openDifferences();
  const vanished = open.filter((each) => differenceOf(each.sourceId).account === account && each.sourceId !== sourceId);
  for (const { id } of vanished) await close(deps, id, ctx);
}

function close(deps: Deps, id: CaseId, ctx: CaseContext): Promise<void> {
  return deps.inTransaction(async (tx) => {
    const before = await tx.cases.lock(id);
    // A person may have decided meanwhile.
    if (before === undefined || !isUndecided(before)) return;
    apply(tx, before, closed(before), ctx);
    ctx.log.info({ caseId: id, sourceId: before.sourceId }, 'reconciliation case closed: its difference has vanished');
  });
}

function isUndecided({ status, resolution, activeRun }: Case): boolean {
  return status === 'OPEN' && resolution === null && activeRun === null;
}

/** Only a case that was closed by itself has no decision. */
function hasVanished({ status, resolution }: Case): boolean {
  return status === 'RESOLVED' && resolution === null;
}

function closed(before: Case): Change<Case> {
  const status = moved(caseMoves, 'resolve', before.status);
  const { id: caseId, kind, source, sourceId } = before;
  const entry = {
    action: 'CASE_CLOSED',
    reason: 'The difference has vanished.',
    before: { status: before.status },
    after: { status },
  };
  const events = [event(caseResolved, { caseId, kind, source, sourceId })];
  return { after: { ...before, status }, events, auditEntries: [entry] };
}

function reopened(before: Case): Change<Case> {
  const status = moved(caseMoves, 'reopen', before.status);
  const entry = {
    action: 'RECONCILIATION_CASE_REOPENED',
    reason: 'The difference was found again.',
    before: { status: before.status },
    after: { status },
  };
  return { after: { ...before, status }, events: [], auditEntries: [entry] };
}

function apply(tx: UnitOfWork, before: Case, change: Change<Case>, { at, requestId }: CaseContext): void {
  applyChange(tx, caseKind, before, { change, origin: { actor: serviceActor, at, correlationId: requestId } });
}
