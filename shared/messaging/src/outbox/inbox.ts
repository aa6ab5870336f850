import { columnsOf, deleteInBatches, TransactionConflict, type Database, type Tx } from '@holdfast/postgres';
import type { Context } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';

/** A message that the consumer has handled. */
export type InboxRow = { readonly consumer: string; readonly messageId: string };

/** For services that write it in a statement of their own, together with what the message did. */
export const inboxColumns = columnsOf<InboxRow>()({
  consumer: { column: 'consumer', type: 'text', isPrimary: true },
  messageId: { column: 'message_id', type: 'text', isPrimary: true },
});

/** The inbox of one consumer, for handlers that take many messages in one transaction. */
export type Inbox = {
  /** Which of these messages have been heard before. */
  readonly findHandled: (tx: Tx, messageIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Notes them, and says which of them are new. A rival with one of them waits here until this transaction has ended. */
  readonly recordNew: (tx: Tx, messageIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Notes them. Repeats the transaction if another one has noted one of them meanwhile. */
  readonly record: (tx: Tx, messageIds: readonly string[]) => Promise<void>;
  /**
   * The same without a trip of its own. If another one has noted one of them meanwhile, the commit fails as a violation of
   * uniqueness, and whoever committed tries again.
   */
  readonly recordWithCommit: (tx: Tx, messageIds: readonly string[]) => void;
};

const insertOne = {
  name: 'insert-inbox-row',
  text: `
  insert into inbox (consumer, message_id)
  values ($1, $2)
  on conflict do nothing
  returning message_id`,
};

const insertMany = {
  name: 'insert-inbox-rows',
  text: `
  insert into inbox (consumer, message_id)
  select $1, message_id
  from unnest($2::text[]) as message_id
  order by message_id
  on conflict do nothing
  returning message_id`,
};

const insertManyOrFail = {
  name: 'insert-inbox-rows-or-fail',
  text: `
  insert into inbox (consumer, message_id)
  select $1, message_id
  from unnest($2::text[]) as message_id
  order by message_id`,
};

const selectHandled = {
  name: 'find-inbox-rows',
  text: `
  select message_id
  from inbox
  where consumer = $1 and message_id = any($2)`,
};

/**
 * Whether the message is new to this consumer; from then on it is not, if the transaction commits. A rival transaction with
 * the same message waits here until this one has ended, so exactly one of them sees true.
 */
export async function recordIfNew(tx: Tx, consumer: string, messageId: string): Promise<boolean> {
  const rows = await tx.query(insertOne, [consumer, messageId]);
  return rows.length === 1;
}

export function inboxOf(consumer: string): Inbox {
  const recordNew: Inbox['recordNew'] = async (tx, messageIds) => {
    const rows = await tx.query<{ readonly message_id: string }>(insertMany, [consumer, messageIds]);
    return new Set(rows.map((row) => row.message_id));
  };
  return {
    findHandled: async (tx, messageIds) => {
      const rows = await tx.query<{ readonly message_id: string }>(selectHandled, [consumer, messageIds]);
      return new Set(rows.map((row) => row.message_id));
    },
    recordNew,
    record: async (tx, messageIds) => {
      const distinct = [...new Set(messageIds)];
      const added = await recordNew(tx, distinct);
      if (added.size < distinct.length) throw new TransactionConflict('a message of the batch was handled meanwhile');
    },
    recordWithCommit: (tx, messageIds) => {
      tx.defer(insertManyOrFail, [consumer, [...new Set(messageIds)]]);
    },
  };
}

/** A handler whose effect and inbox row commit together. A message that was heard before does nothing. */
export function handleOnce<Payload>(
  { database, consumer }: { readonly database: Pick<Database, 'inTransaction'>; readonly consumer: string },
  handle: (tx: Tx, message: Envelope<Payload>, ctx: Context) => Promise<void>,
): (message: Envelope<Payload>, ctx: Context) => Promise<void> {
  return (message, ctx) =>
    database.inTransaction(async (tx) => {
      if (await recordIfNew(tx, consumer, message.id)) await handle(tx, message, ctx);
    });
}

/** Longer than any transport keeps a message that was heard: what a person re-drives later was never heard. */
const retentionDays = 30;

/** Forgets what was heard long ago. Returns how many rows went. */
export function pruneInbox(database: Pick<Database, 'lists'>, signal: AbortSignal): Promise<number> {
  const old = { table: 'inbox', where: 'handled_at < now() - make_interval(days => $2)', values: [retentionDays] };
  return deleteInBatches(database, old, signal);
}
