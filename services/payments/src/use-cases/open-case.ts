import { caseBookingRequested } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { formatMoney } from '@holdfast/kernel/money';
import { applyChange } from '@holdfast/sagas';
import { isBooked, type Case, type NewCase } from '../domain/case.js';
import { caseKind } from './aggregate-kinds.js';
import { serviceActor } from './origin.js';
import type { UnitOfWork } from './ports.js';

/**
 * Opens a case within the transaction that found it, once per kind and source, and starts the saga that books its money to the
 * suspense account. Returns false if there is such a case already.
 */
export async function openCase(
  tx: UnitOfWork,
  found: NewCase,
  { at, requestId, log }: Pick<Context, 'requestId' | 'at' | 'log'>,
): Promise<boolean> {
  const opened: Case = {
    outflows: [],
    ...found,
    id: tx.newId('rcc'),
    status: 'OPEN',
    resolution: null,
    providerPayoutId: null,
    returns: 0,
    bookedAt: null,
    activeRun: null,
    version: 0,
    lastEventId: null,
    createdAt: at,
    updatedAt: at,
  };
  if (!(await tx.cases.insertIfNew(opened))) return false;
  const { id, kind, userId, amount, source, sourceId, reason, relatedId, status } = opened;
  const money = { amount: formatMoney(amount), currency: amount.currency };
  const entry = {
    action: 'RECONCILIATION_CASE_OPENED',
    reason,
    before: null,
    after: { status, kind, ...money, source, sourceId },
  };
  const starts = isBooked(opened) ? ({ starts: { saga: 'open-case', command: caseBookingRequested } } as const) : {};
  const change = { after: opened, events: [], auditEntries: [entry], ...starts };
  applyChange(tx, caseKind, opened, { change, origin: { actor: serviceActor, at, correlationId: requestId } });
  tx.afterCommit(() => {
    log.warn({ caseId: id, kind, userId, ...money, source, sourceId, relatedId }, 'reconciliation case opened');
  });
  return true;
}
