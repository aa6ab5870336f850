import { columnsOf, deleteInBatches, type Database, type Tx } from '@holdfast/postgres';
import type { Context } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';

/** A message that the consumer has handled. */
export type InboxRow = { readonly consumer: string; readonly messageId: string };

/** For services that insert the inbox row in the same statement as the effect of the message. */
export const inboxColumns = columnsOf<InboxRow>()({
  consumer: { column: 'consumer', type: 'text', isPrimary: true },
  messageId: { column: 'message_id', type: 'text', isPrimary: true },
});

/** The inbox of one consumer, for handlers that handle many messages in one transaction. */
export type Inbox = {
  /** Inserts the rows and returns the new ids. A concurrent transaction with one of them blocks here until this one ends. */
  readonly recordNew: (tx: Tx, messageIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** The stored replies of handled messages, by message id. Messages without stored replies are left out. See ADR 0044. */
  readonly findReplies: (tx: Tx, messageIds: readonly string[]) => Promise<ReadonlyMap<string, readonly Envelope[]>>;
  /** Stores what the handling of each recorded message publishes, together with the commit. */
  readonly storeRepliesWithCommit: (tx: Tx, replies: readonly MessageReplies[]) => void;
};

/** The envelopes that the handling of a message has published. */
export type MessageReplies = { readonly messageId: string; readonly envelopes: readonly Envelope[] };

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

const selectReplies = {
  name: 'find-inbox-replies',
  text: `
  select message_id, replies
  from inbox
  where consumer = $1
    and message_id = any($2)
    and replies is not null`,
};

// The rows exist. An insert with a conflict finds them by the primary key, whatever the statistics of the table are.
const storeReplies = {
  name: 'store-inbox-replies',
  text: `
  insert into inbox (consumer, message_id, replies)
  select $1, given.message_id, given.replies
  from unnest($2::text[], $3::text[]) as given (message_id, replies)
  order by given.message_id
  on conflict (consumer, message_id) do update
  set replies = excluded.replies`,
};

/**
 * Records the message and returns whether it is new to this consumer. A concurrent transaction with the same message blocks here
 * until this one ends, so exactly one of them gets true.
 */
export async function recordIfNew(tx: Tx, consumer: string, messageId: string): Promise<boolean> {
  const rows = await tx.query(insertOne, [consumer, messageId]);
  return rows.length === 1;
}

export function inboxOf(consumer: string): Inbox {
  return {
    recordNew: async (tx, messageIds) => {
      const rows = await tx.query<{ readonly message_id: string }>(insertMany, [consumer, messageIds]);
      return new Set(rows.map((row) => row.message_id));
    },
    findReplies: async (tx, messageIds) => {
      type Row = { readonly message_id: string; readonly replies: string };
      const rows = await tx.query<Row>(selectReplies, [consumer, messageIds]);
      return new Map(rows.map((row) => [row.message_id, JSON.parse(row.replies) as readonly Envelope[]]));
    },
    storeRepliesWithCommit: (tx, replies) => {
      if (replies.length === 0) return;
      const texts = replies.map(({ envelopes }) => JSON.stringify(envelopes));
      tx.defer(storeReplies, [consumer, replies.map(({ messageId }) => messageId), texts]);
    },
  };
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
