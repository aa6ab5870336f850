import { columnsOf, deleteInBatches, insertMany, type Database, type Tx } from '@holdfast/postgres';
import type { Context } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';

/** A message that the consumer has handled. */
export type InboxRow = { readonly consumer: string; readonly messageId: string };

/** For services that insert the inbox row in the same statement as the effect of the message. */
export const inboxColumns = columnsOf<InboxRow>()({
  consumer: { column: 'consumer', type: 'text', isPrimary: true },
  messageId: { column: 'message_id', type: 'text', isPrimary: true },
});

/** A handled message with the envelopes that its handling has published, as JSON. Null without any. See ADR 0044. */
export type RepliedRow = InboxRow & { readonly replies: string | null };

/**
 * Inserts handled messages with their replies. A message that a concurrent transaction has handled violates the primary key: the
 * caller tries again, and reads the row first. The rows must be sorted by message, so that two transactions cannot deadlock.
 */
export const insertHandledMessages = insertMany<RepliedRow>({
  name: 'insert-handled-messages',
  table: 'inbox',
  columns: { ...inboxColumns, replies: { column: 'replies', type: 'text' } },
});

const insertOne = {
  name: 'insert-inbox-row',
  text: `
  insert into inbox (consumer, message_id)
  values ($1, $2)
  on conflict do nothing
  returning message_id`,
};

/**
 * Records many messages ($2) of a consumer ($1) and returns the ids of new ones: a statement, or a CTE of one that reads what their
 * handling needs. A concurrent transaction with one of the messages waits here until this one ends.
 */
export const recordNewMessages = `
  insert into inbox (consumer, message_id)
  select $1, message_id
  from unnest($2::text[]) as message_id
  order by message_id
  on conflict do nothing
  returning message_id`;

/**
 * Records the message and returns whether it is new to this consumer. A concurrent transaction with the same message blocks here
 * until this one ends, so exactly one of them gets true.
 */
export async function recordIfNew(tx: Tx, consumer: string, messageId: string): Promise<boolean> {
  const rows = await tx.query(insertOne, [consumer, messageId]);
  return rows.length === 1;
}

/** A handler whose effect and inbox row share a transaction. A message that was handled before has no effect. */
export function handleOnce<Payload>(
  { database, consumer }: { readonly database: Pick<Database, 'inTransaction'>; readonly consumer: string },
  handle: (tx: Tx, message: Envelope<Payload>, ctx: Context) => Promise<void>,
): (message: Envelope<Payload>, ctx: Context) => Promise<void> {
  return (message, ctx) =>
    database.inTransaction(async (tx) => {
      if (await recordIfNew(tx, consumer, message.id)) await handle(tx, message, ctx);
    });
}

/** Longer than a broker may redeliver a handled message. A parked message may be older, but it was never handled. */
const retentionDays = 30;

/** Deletes rows that are older than the retention. Returns how many. */
export function pruneInbox(database: Pick<Database, 'lists'>, signal: AbortSignal): Promise<number> {
  const old = { table: 'inbox', where: 'handled_at < now() - make_interval(days => $2)', values: [retentionDays] };
  return deleteInBatches(database, old, signal);
}
