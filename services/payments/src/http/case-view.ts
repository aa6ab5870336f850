import type { ReconciliationCaseRecord } from '@holdfast/contracts/http';
import { formatMoney } from '@holdfast/kernel/money';
import type { Case } from '../domain/case.js';

export function viewOfCase(found: Case): ReconciliationCaseRecord {
  const { id, kind, status, userId, amount, source, sourceId, reason, relatedId, outflows, createdAt, resolution } = found;
  return {
    id,
    kind,
    status,
    userId,
    amount: formatMoney(amount),
    currency: amount.currency,
    source,
    sourceId,
    reason,
    relatedId,
    ...(outflows.length === 0 ? {} : { outflows: [...outflows] }),
    foundAt: createdAt,
    resolution,
  };
}
