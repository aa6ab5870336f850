import { z } from 'zod';
import type { HorizonClient } from './horizon.js';
import type { SequenceUse, SoughtSequence } from './ledger-network.js';

const pageSize = 200;
/** The transactions of a busy treasury in about an hour. */
const pagesMax = 50;

const recordFields = z.object({
  paging_token: z.string(),
  hash: z.string(),
  source_account: z.string(),
  source_account_sequence: z.coerce.bigint(),
  /** Only in a fee bump: the transaction inside it has its own hash. */
  inner_transaction: z.object({ hash: z.string() }).optional(),
});

type TransactionRecord = z.output<typeof recordFields>;

/**
 * Reads the account's transactions after a ledger until one has this sequence number or a later one. Numbers only rise, so that no
 * transaction after that has it.
 */
export async function findSequenceUse(horizon: HorizonClient, sought: SoughtSequence): Promise<SequenceUse | undefined> {
  let cursor = positionAfter(sought.afterLedger);
  for (let page = 0; page < pagesMax; page += 1) {
    const records = await readPage(horizon, sought.address, cursor);
    const user = records.find(
      ({ source_account: source, source_account_sequence: used }) => source === sought.address && used >= sought.sequence,
    );
    if (user !== undefined) return useBy(user, sought);
    const last = records.at(-1);
    if (last === undefined || records.length < pageSize) return undefined;
    cursor = last.paging_token;
  }
  return undefined;
}

function useBy(
  { hash, inner_transaction: inner, source_account_sequence: used }: TransactionRecord,
  { sequence }: SoughtSequence,
) {
  return { hashes: used === sequence ? [hash, ...(inner === undefined ? [] : [inner.hash])] : [] };
}

async function readPage(horizon: HorizonClient, address: string, cursor: string): Promise<readonly TransactionRecord[]> {
  const page = await horizon.read((server) =>
    server.transactions().forAccount(address).includeFailed(true).order('asc').limit(pageSize).cursor(cursor).call(),
  );
  return z.array(recordFields).parse(page?.records ?? []);
}

/** The position of the history after every transaction of a ledger, which is in the upper 32 bits. */
function positionAfter(ledger: number): string {
  return (((BigInt(ledger) + 1n) << 32n) - 1n).toString();
}
