import { columnsOf, insertMany, selectList, type Tx } from '@holdfast/postgres';
import type { UnitOfWork } from '../use-cases/ports.js';
import type { PaymentResolution } from '../use-cases/resolution-ports.js';

const resolutionColumns = columnsOf<PaymentResolution>()({
  paymentId: { column: 'payment_id', type: 'text', isPrimary: true },
  outcome: { column: 'outcome', type: 'text' },
  transactionHash: { column: 'transaction_hash', type: 'text' },
  requestedBy: { column: 'requested_by', type: 'text' },
  requestedKey: { column: 'requested_key', type: 'text' },
  requestedAt: { column: 'requested_at', type: 'timestamptz' },
  evidence: { column: 'evidence', type: 'text' },
  approvedBy: { column: 'approved_by', type: 'text' },
  approvedKey: { column: 'approved_key', type: 'text' },
  approvalEvidence: { column: 'approval_evidence', type: 'text' },
  resolvedAt: { column: 'resolved_at', type: 'timestamptz' },
});

const lockResolution = {
  name: 'lock-payment-resolution',
  text: `
  select ${selectList(resolutionColumns, 'payment_resolutions')}
  from payment_resolutions
  where payment_id = $1
  for update`,
};

/** The payment is locked, so nobody else writes the row. */
const saveResolution = insertMany({
  name: 'save-payment-resolution',
  table: 'payment_resolutions',
  columns: resolutionColumns,
  suffix: `
  on conflict (payment_id) do update
  set outcome = excluded.outcome,
    transaction_hash = excluded.transaction_hash,
    requested_by = excluded.requested_by,
    requested_key = excluded.requested_key,
    requested_at = excluded.requested_at,
    evidence = excluded.evidence,
    approved_by = excluded.approved_by,
    approved_key = excluded.approved_key,
    approval_evidence = excluded.approval_evidence,
    resolved_at = excluded.resolved_at
  where payment_resolutions.resolved_at is null`,
});

export function resolutionsIn(tx: Tx): UnitOfWork['resolutions'] {
  return {
    lock: async (paymentId) => (await tx.query<PaymentResolution>(lockResolution, [paymentId]))[0],
    save: async (resolution) => {
      await tx.query(saveResolution([resolution]));
    },
  };
}
