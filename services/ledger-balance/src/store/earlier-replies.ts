import type { Tx } from '@holdfast/postgres';
import type { Account } from '../domain/accounts.js';
import { nthCauseOf, transfersMax, type CausedPosting } from './caused-posting.js';
import type { PostingMessages } from './decide-batch.js';
import type { KnownMessages } from './known-messages.js';
import { replyFromJournal } from './posting-subject.js';
import type { TransferRow } from './schema.js';
import { findTransfersByCause } from './sql/find-transfers.js';

type Accounts = ReadonlyMap<string, Account>;

/** The replies of messages that were handled before, but whose inbox row was pruned, made again from the journal. */
export async function rebuildReplies(
  tx: Tx,
  postings: readonly CausedPosting[],
  { handled, replies }: KnownMessages,
  accounts: Accounts,
): Promise<readonly PostingMessages[]> {
  const pruned = [...handled].filter((id) => !replies.has(id));
  const repeated = pruned.flatMap((id) => postings.find(({ message }) => message?.id === id) ?? []);
  if (repeated.length === 0) return [];
  const rows = await tx.query<TransferRow>(findTransfersByCause, [repeated.flatMap(causesOf)]);
  return repeated.flatMap((posting) => {
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
