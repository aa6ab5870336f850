import type { Context, Instant } from '@holdfast/kernel/context';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { formatMoney, money } from '@holdfast/kernel/money';
import { applyChange } from '@holdfast/sagas';
import { outflowsSinceBackup, type UnknownOutflow } from '../domain/network-cases.js';
import { caseKind } from './aggregate-kinds.js';
import { openCase } from './open-case.js';
import { serviceActor } from './origin.js';
import type { UnitOfWork } from './ports.js';

/** Opens the case about the restore with this outflow, or adds the outflow to it. False where the case was resolved already. */
export async function addToCaseOfRestore(
  tx: UnitOfWork,
  outflow: UnknownOutflow,
  restoredAt: Instant,
  ctx: Context,
): Promise<boolean> {
  const found = { ...outflowsSinceBackup(outflow, restoredAt), marketplaceId: defaultMarketplaceId };
  if (await openCase(tx, found, ctx)) return true;
  const before = await tx.cases.lockOfSource(found);
  if (before?.outflows.some(({ sourceId }) => sourceId === outflow.sourceId) === true) return true;
  if (before?.status !== 'OPEN') return false;
  const amount = money(before.amount.units + found.amount.units, before.amount.currency);
  const outflows = [...before.outflows, ...(found.outflows ?? [])];
  const entry = {
    action: 'RECONCILIATION_CASE_EXTENDED',
    reason: found.reason,
    before: { amount: formatMoney(before.amount) },
    after: { amount: formatMoney(amount), currency: amount.currency, added: outflow.sourceId },
  };
  const change = { after: { ...before, amount, outflows }, events: [], auditEntries: [entry] };
  applyChange(tx, caseKind, before, { change, origin: { actor: serviceActor, at: ctx.at, correlationId: ctx.requestId } });
  return true;
}
