import type { Envelope } from '@holdfast/contracts/messages';
import { inboxOf } from '@holdfast/messaging/inbox';
import type { Tx } from '@holdfast/postgres';
import type { Account } from '../domain/accounts.js';
import { nthCauseOf, transfersMax, type CausedPosting } from './caused-posting.js';
import type { PostingMessages } from './decide-batch.js';
import { replyFromJournal } from './posting-subject.js';
import type { TransferRow } from './schema.js';
import { findTransfersByCause } from './sql/find-transfers.js';

/** What is published again for messages that were handled before. */
export type EarlierReplies = {
  readonly stored: readonly Envelope[];
  /** Replies whose inbox row was pruned, made again from the journal. */
  readonly rebuilt: readonly PostingMessages[];
};

type Batch = {
  readonly postings: readonly CausedPosting[];
  /** The ids of messages that were handled before this batch. */
  readonly handled: ReadonlySet<string>;
  readonly accounts: ReadonlyMap<string, Account>;
};

const inbox = inboxOf('ledger-balance');

/** A repeated message gets its replies again, because its sender may repeat it for as long as it has not received them. */
export async function readEarlierReplies(tx: Tx, { postings, handled, accounts }: Batch): Promise<EarlierReplies> {
  if (handled.size === 0) return { stored: [], rebuilt: [] };
  const stored = await inbox.findReplies(tx, [...handled]);
  const pruned = [...handled].filter((id) => !stored.has(id));
  const repeated = pruned.flatMap((id) => postings.find(({ message }) => message?.id === id) ?? []);
  return { stored: [...stored.values()].flat(), rebuilt: await rebuildReplies(tx, repeated, accounts) };
}

async function rebuildReplies(
  tx: Tx,
  postings: readonly CausedPosting[],
  accounts: Batch['accounts'],
): Promise<readonly PostingMessages[]> {
  if (postings.length === 0) return [];
  const rows = await tx.query<TransferRow>(findTransfersByCause, [postings.flatMap(causesOf)]);
  return postings.flatMap((posting) => {
    const causes = causesOf(posting);
    const transfers = rows.filter(({ cause }) => causes.includes(cause));
    if (transfers.length === 0) return [];
    return [{ posting, messages: replyFromJournal(posting, transfers.toSorted(byCause), accounts) }];
  });
}

function causesOf(posting: CausedPosting): readonly string[] {
  return Array.from({ length: transfersMax }, (_, nth) => nthCauseOf(posting, nth));
}

/** The causes of a posting end with numbers, so the text order is the order of the transfers. */
function byCause(one: TransferRow, other: TransferRow): number {
  return one.cause < other.cause ? -1 : 1;
}
