import type { Clock } from '@holdfast/shared/context';
import { formatUnits } from '@holdfast/shared/money';
import { toAppError, type Database } from '@holdfast/shared/postgres';
import type { Discrepancy, LedgerProof } from '../use-cases/ports.js';
import { bookRules, countBooks } from './sql/prove-books.js';

/** More than this are counted by running it again once these are mended. */
const discrepanciesMaxPerRule = 100;
/** Reading every leg takes longer than a request may. */
const statementTimeoutMs = 10 * 60_000;

type Finding = { readonly subject: string; readonly expected: string; readonly found: string };

/** Reads the whole ledger in one snapshot, so that postings under way neither disturb it nor wait for it. */
export async function proveBooks(database: Database, clock: Clock): Promise<LedgerProof> {
  const client = await database.pool.connect().catch((error: unknown) => {
    throw toAppError(error);
  });
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(`set local statement_timeout = ${String(statementTimeoutMs)}`);
    await client.query('set local enable_seqscan = on'); // whatever is read here is read as a whole
    const discrepancies: Discrepancy[] = [];
    for (const [rule, sql] of Object.entries(bookRules)) {
      const { rows } = await client.query<Finding>(`${sql}\n  limit ${String(discrepanciesMaxPerRule)}`);
      discrepancies.push(...rows.map((finding) => toDiscrepancy(rule, finding)));
    }
    const counted = await client.query<{ transfers: bigint; accounts: bigint }>(countBooks);
    await client.query('commit');
    client.release();
    return { checkedAt: clock.now(), transfers: 0n, accounts: 0n, ...counted.rows[0], discrepancies };
  } catch (error) {
    client.release(true);
    throw toAppError(error);
  }
}

function toDiscrepancy(rule: string, { subject, expected, found }: Finding): Discrepancy {
  return { rule, subject, expected: formatUnits(BigInt(expected)), found: formatUnits(BigInt(found)) };
}
