import type { Instant } from '@holdfast/shared/context';
import type { Database, Tx } from '@holdfast/shared/postgres';
import { leaseLostCode, type Intent } from '../lanes/index.js';
import type { OwnTransaction } from '../use-cases/ports.js';

/** A transaction that may land: everything that is needed to submit it again and to know when it cannot any more. */
export type OpenTransaction = OwnTransaction & {
  readonly sequence: bigint;
  readonly envelope: string;
  readonly validUntil: Instant;
};

export type NewTransaction = OpenTransaction & {
  readonly intent: Pick<Intent, 'id' | 'leaseToken'>;
  readonly requestHash: string;
};
export type LiveTransaction = OpenTransaction & { readonly isOpen: boolean };
export type EndState = 'LANDED' | 'FAILED' | 'DEAD';

/** Only while the lease of its intent is held: whoever has taken over must not be surprised by one more. */
const insertOpen = {
  name: 'insert-ledger-transaction',
  text: `
  with held as (
    select id
    from intents
    where id = $2
      and lease_token = $3
      and closed_at is null
    for update
  ), inserted as (
    insert into ledger_transactions (
      hash, intent_id, step, request_hash, source_account, sequence, envelope, valid_until, state
    )
    select $1, id, $4, $5, $6, $7, $8, $9, 'OPEN'
    from held
    returning hash
  )
  select demand(count(*) = 1, '${leaseLostCode}', $2)
  from inserted`,
};

const endTransaction = {
  name: 'end-ledger-transaction',
  text: `
  update ledger_transactions
  set state = $2
  where hash = $1
    and state = 'OPEN'`,
};

const findLive = {
  name: 'find-live-ledger-transactions',
  text: `
  select hash,
    step,
    source_account as "sourceAccount",
    sequence,
    envelope,
    valid_until as "validUntil",
    state = 'OPEN' as "isOpen"
  from ledger_transactions
  where intent_id = $1
    and state in ('OPEN', 'LANDED')
  order by created_at`,
};

export type TransactionStore = ReturnType<typeof transactionStore>;

export function transactionStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** With the commit, which fails where the lease of its intent is lost. */
    insertOpen: (tx: Tx, transaction: NewTransaction): void => tx.defer(insertOpen, valuesOf(transaction)),
    /** With the commit. */
    end: (tx: Tx, hash: string, state: EndState): void => tx.defer(endTransaction, [hash, state]),
    /** In the order in which they were made: what has landed, and what may land. */
    liveOf: async (intentId: string): Promise<readonly LiveTransaction[]> => {
      return (await pool.query<LiveTransaction>({ ...findLive, values: [intentId] })).rows;
    },
  };
}

function valuesOf({ hash, intent, step, requestHash, sourceAccount, sequence, envelope, validUntil }: NewTransaction): unknown[] {
  return [hash, intent.id, intent.leaseToken, step, requestHash, sourceAccount, sequence, envelope, validUntil];
}
