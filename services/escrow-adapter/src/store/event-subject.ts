import type { EscrowId, MessageId } from '@holdfast/kernel/ids';
import type { Database } from '@holdfast/postgres';
import { insertionWith, type KnownOutcome } from '@holdfast/webhook-inbox';
import type { EventData, EventSubject, EventSubjects } from '../use-cases/ports.js';

/**
 * What an event is about by our own tables, and its outcome if they say it. It finds its contract by contract id, else by order id if the
 * contract has no contract id yet. An open intent may have caused it. The exception is a contract that is paid milestone by milestone, if
 * the event names a transaction that is not ours: such an event may be about another milestone.
 */
export const selectEventSubject = {
  name: 'select-event-subject',
  text: `
  select contract.escrow_id as "escrowId",
    intents.id as "intentId",
    case
      when contract.escrow_id is null then 'ignored'
      when own.hash is not null then 'applied'
      when intents.id is not null and (contract.release_mode = 'order' or given.transaction_hash is null) then 'applied'
    end as result,
    case
      when contract.escrow_id is null then 'unknown contract'
      when intents.id is not null then 'intent woken'
      when own.hash is not null then 'own transaction'
    end as note
  from (
    select $1::text as contract_id,
      $2::text as order_id,
      $3::text as transaction_hash
  ) as given
  left join contracts as named
    on named.contract_id = given.contract_id
  left join lateral (
    select contracts.escrow_id,
      contracts.contract_id,
      contracts.release_mode
    from contracts
    where contracts.order_id = given.order_id
      and contracts.status <> 'FAILED'
    order by contracts.created_at desc
    limit 1
  ) as latest
    on true
  cross join lateral (
    select coalesce(named.escrow_id, case when latest.contract_id is null then latest.escrow_id end) as escrow_id,
      coalesce(named.release_mode, latest.release_mode) as release_mode
  ) as contract
  left join lateral (
    select min(open.id) as id
    from intents as open
    where open.subject = contract.escrow_id
      and open.closed_at is null
  ) as intents
    on true
  left join ledger_transactions as own
    on own.hash = given.transaction_hash`,
};

/** Most events are about transactions of our own. */
export const findOwnTransaction = {
  name: 'find-own-transaction',
  text: `
  select intents.id as "intentId"
  from ledger_transactions
  left join intents
    on intents.id = ledger_transactions.intent_id
      and intents.closed_at is null
  where ledger_transactions.hash = $1`,
};

const insertion = insertionWith({ ...selectEventSubject, parameters: 3 });

type SubjectRow = KnownOutcome & { readonly escrowId: EscrowId | null; readonly intentId: MessageId | null };

export function eventSubjects({ pool }: Pick<Database, 'pool'>): EventSubjects {
  return {
    findOwn: async ({ transaction_hash: hash }) => {
      if (hash === undefined) return undefined;
      const [own] = (await pool.query<Pick<SubjectRow, 'intentId'>>(findOwnTransaction, [hash])).rows;
      return own === undefined ? undefined : { intentId: own.intentId ?? undefined };
    },
    find: async (data) => toSubject((await pool.query<SubjectRow>(selectEventSubject, valuesOf(data))).rows[0]),
    receive: async (inbox, event, data, ctx) => {
      const lookUp = { statement: insertion, values: valuesOf(data) };
      const { receipt, found } = await inbox.receiveAndLookUp<SubjectRow>(event, ctx, lookUp);
      return { receipt, subject: toSubject(found) };
    },
  };
}

function valuesOf({ contract_id, order_id, transaction_hash }: EventData): readonly unknown[] {
  return [contract_id, order_id ?? null, transaction_hash ?? null];
}

function toSubject(row: SubjectRow | undefined): EventSubject {
  const { escrowId = null, intentId = null, result = null, note = null } = row ?? {};
  const known = result === null ? undefined : { result, ...(note === null ? {} : { note }) };
  return { escrowId: escrowId ?? undefined, intentId: intentId ?? undefined, known };
}
