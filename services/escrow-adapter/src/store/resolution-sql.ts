import { columnsOf, selectList } from '@holdfast/postgres';
import { intentColumns } from '@holdfast/intents';
import type { Resolution } from '../use-cases/resolution-ports.js';

const resolutionColumns = columnsOf<Resolution>()({
  sagaRunId: { column: 'saga_run_id', type: 'text', isPrimary: true },
  intentId: { column: 'intent_id', type: 'text' },
  outcome: { column: 'outcome', type: 'text' },
  transactionHash: { column: 'transaction_hash', type: 'text' },
  contractId: { column: 'contract_id', type: 'text' },
  requestedBy: { column: 'requested_by', type: 'text' },
  requestedAt: { column: 'requested_at', type: 'timestamptz' },
  evidence: { column: 'evidence', type: 'text' },
  approvedBy: { column: 'approved_by', type: 'text' },
  approvalEvidence: { column: 'approval_evidence', type: 'text' },
  resolvedAt: { column: 'resolved_at', type: 'timestamptz' },
});

/** A run has one intent. */
export const findIntentOfRun = {
  name: 'find-whole-intent-of-run',
  text: `
  select ${selectList(intentColumns, 'intents')},
    replies
  from intents
  where saga_run_id = $1`,
};

export const lockIntentOfRun = {
  name: 'lock-intent-of-run',
  text: `${findIntentOfRun.text}
  for update`,
};

export const findOpenPayout = {
  name: 'find-open-payout',
  text: `
  select intents.payload,
    (
      select count(*)::integer
      from ledger_transactions
      where ledger_transactions.intent_id = intents.id
        and ledger_transactions.state in ('OPEN', 'LANDED', 'MISMATCHED')
    ) as "liveTransactions"
  from intents
  where intents.subject = $1
    and intents.marketplace_id = $2
    and intents.kind = 'payout'
    and intents.closed_at is null`,
};

export const findResolution = {
  name: 'find-saga-resolution',
  text: `
  select ${selectList(resolutionColumns, 'saga_resolutions')}
  from saga_resolutions
  where saga_run_id = $1`,
};

/** The intent is locked, so nobody else writes the row. */
export const saveResolution = {
  name: 'save-saga-resolution',
  text: `
  insert into saga_resolutions (saga_run_id, intent_id, outcome, transaction_hash, contract_id, requested_by, requested_at, evidence,
    approved_by, approval_evidence, resolved_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (saga_run_id) do update
  set outcome = excluded.outcome,
    transaction_hash = excluded.transaction_hash,
    contract_id = excluded.contract_id,
    requested_by = excluded.requested_by,
    requested_at = excluded.requested_at,
    evidence = excluded.evidence,
    approved_by = excluded.approved_by,
    approval_evidence = excluded.approval_evidence,
    resolved_at = excluded.resolved_at`,
};

export const takeLease = {
  name: 'take-intent-lease',
  text: `
  update intents
  set lease_token = lease_token + 1,
    lease_owner = null,
    lease_until = null
  where id = $1
  returning lease_token as "leaseToken"`,
};

/** Frees their source accounts, each of which has at most one open transaction. */
export const endForgotten = {
  name: 'end-forgotten-transactions',
  text: `
  update ledger_transactions
  set state = case hash when $2 then 'LANDED' else 'DEAD' end
  where intent_id = $1
    and state = 'OPEN'`,
};

export const addReply = {
  name: 'add-intent-reply',
  text: `
  update intents
  set replies = replies || $2
  where id = $1`,
};
