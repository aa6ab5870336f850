import type { Envelope } from '@holdfast/contracts/messages';
import { insertHandledMessages, type RepliedRow } from '@holdfast/messaging/inbox';
import type { BoundStatement, Tx } from '@holdfast/postgres';
import type { AbortedRuns } from '@holdfast/sagas/runs';
import type { Posting } from '../use-cases/ports.js';
import { readMessages, type MessageRow } from './sql/read-messages.js';

/** What is known about the messages of a batch before it is decided. */
export type KnownMessages = {
  /** The ids of messages that were handled before. */
  readonly handled: ReadonlySet<string>;
  /** What their handling has published, by message id. Absent if the inbox row was pruned. */
  readonly replies: ReadonlyMap<string, readonly Envelope[]>;
  readonly abortedRuns: AbortedRuns;
};

const consumer = 'ledger-balance';

export async function readKnownMessages(tx: Tx, postings: readonly Posting[]): Promise<KnownMessages> {
  const runs = new Map(postings.flatMap(({ message }) => (message === undefined ? [] : [[message.id, message.sagaRunId]])));
  const rows = runs.size === 0 ? [] : await tx.query<MessageRow>(readMessages, [consumer, [...runs.keys()], [...runs.values()]]);
  return {
    handled: new Set(rows.filter(({ isHandled }) => isHandled).map(({ id }) => id)),
    replies: new Map(rows.flatMap(({ id, replies }) => envelopesBy(id, replies))),
    abortedRuns: new Map(rows.flatMap(({ sagaRunId, repliesOfAbort }) => envelopesBy(sagaRunId, repliesOfAbort))),
  };
}

function envelopesBy(key: string | null, replies: string | null): readonly (readonly [string, readonly Envelope[]])[] {
  return key === null || replies === null ? [] : [[key, JSON.parse(replies) as readonly Envelope[]]];
}

/** The inbox rows of the messages that a batch has handled first, with what it publishes for each. Undefined if there are none. */
export function handledMessages(
  postings: readonly Posting[],
  { handled }: KnownMessages,
  repliesTo: ReadonlyMap<string, readonly Envelope[]>,
): BoundStatement | undefined {
  const ids = new Set(postings.flatMap(({ message }) => message?.id ?? []));
  const rows = [...ids]
    .filter((id) => !handled.has(id))
    .toSorted()
    .map((messageId): RepliedRow => {
      const replies = repliesTo.get(messageId);
      return { consumer, messageId, replies: replies === undefined ? null : JSON.stringify(replies) };
    });
  return rows.length === 0 ? undefined : insertHandledMessages(rows);
}
