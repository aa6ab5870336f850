import { propertiesBut, selectList, upsertMany } from '@holdfast/postgres';
import { intentColumns, isIntent } from '@holdfast/intents';
import { resolutions } from './schema.js';

/** A run has one intent. */
export const findIntentOfRun = {
  name: 'find-whole-intent-of-run',
  text: `
  select ${selectList(intentColumns, 'intents')},
    replies
  from intents
  where saga_run_id = $1
    and ${isIntent}`,
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

/** The intent is locked, so no other transaction writes the row. */
export const saveResolution = upsertMany({
  ...resolutions,
  name: 'save-saga-resolution',
  key: ['sagaRunId'],
  set: propertiesBut(resolutions.columns, ['sagaRunId', 'intentId']),
});

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

/** Frees their source accounts. Each has at most one open transaction. */
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
