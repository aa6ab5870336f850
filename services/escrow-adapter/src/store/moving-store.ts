import { custodyTransactionsLanded, type Envelope, type Payload } from '@holdfast/contracts/messages';
import { AppError } from '@holdfast/kernel/errors';
import type { Database } from '@holdfast/postgres';
import type { ClaimedTransaction } from '../use-cases/custody/ports.js';

export type MovingAccount = { readonly place: string; readonly ownerId: string | null };

/** The messages that ledger-balance has not acknowledged. They are few: it does so within seconds. */
const findUnacknowledged = {
  name: 'find-unacknowledged-by-ledger',
  text: `
  select messages
  from outbox
  where message_id is not null
    and 'ledger-balance' = any(awaits)
  limit $1`,
};

/** The transactions that the network's RPC has yet to prove. After some minutes they count as invented, so that they hide nothing. */
const findOpenClaims = {
  name: 'find-open-claims-up-to',
  text: `
  select content
  from claimed_transactions
  where given_up_at is null
    and ledger <= $2
    and seen_at > now() - interval '5 minutes'
  limit $1`,
};

const rowsMax = 10_000;

/** The accounts with a transaction up to the ledger that the journal may not have yet. */
export function movingAccounts({ lists }: Pick<Database, 'lists'>): (ledger: number) => Promise<readonly MovingAccount[]> {
  return async (ledger) => {
    // In this order: a claim that is proved in between has its message by then.
    const claims = await lists.query<{ readonly content: string }>(findOpenClaims, [rowsMax, ledger]);
    const messages = await lists.query<{ readonly messages: string }>(findUnacknowledged, [rowsMax]);
    if (Math.max(claims.rows.length, messages.rows.length) >= rowsMax)
      throw new AppError('SERVICE_UNAVAILABLE', { reason: 'Too many transactions are not booked yet.' });
    return [
      ...claims.rows.flatMap(({ content }) => (JSON.parse(content) as Pick<ClaimedTransaction, 'legs'>).legs),
      ...messages.rows.flatMap((row) => legsIn(row.messages, ledger)),
    ].map(({ place, ownerId }) => ({ place, ownerId: ownerId ?? null }));
  };
}

function legsIn(messages: string, ledger: number) {
  return (JSON.parse(messages) as readonly Envelope[])
    .filter(({ type }) => type === custodyTransactionsLanded.type)
    .flatMap(({ payload }) => (payload as Payload<typeof custodyTransactionsLanded>).transactions)
    .filter((transaction) => (transaction.ledger ?? 0) <= ledger)
    .flatMap(({ legs }) => legs);
}
