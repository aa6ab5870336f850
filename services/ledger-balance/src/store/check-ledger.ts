import type { Clock } from '@holdfast/kernel/context';
import { formatUnits } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import type { BookTotal, Discrepancy, LedgerReport } from '../use-cases/ports.js';
import { sumBooks } from './sql/sum-books.js';
import { ledgerChecks, countLedger } from './sql/ledger-checks.js';

/** Enough to start a repair; the next check finds the others. */
const discrepanciesMaxPerRule = 100;
/** Reading every leg takes longer than the time limit of requests. */
const statementTimeoutMs = 10 * 60_000;

/** A sum over all users may exceed the type of a balance. */
type BookSum = Omit<BookTotal, 'units'> & { readonly units: string };

type Finding = { readonly subject: string; readonly expected: string; readonly found: string };

/** Reads the whole ledger in one snapshot, which concurrent postings neither change nor wait for. See ADR 0004. */
export function checkLedger({ lists }: Pick<Database, 'lists'>, clock: Clock): Promise<LedgerReport> {
  return lists.withConnection(async (client) => {
    const query = async <Row extends object>(text: string): Promise<readonly Row[]> =>
      (await client.query<Row>(withTimeLimit(text))).rows;
    await query(`set statement_timeout = ${String(statementTimeoutMs)}`);
    await query('begin isolation level repeatable read read only');
    const discrepancies: Discrepancy[] = [];
    for (const [rule, sql] of Object.entries(ledgerChecks)) {
      const findings = await query<Finding>(`${sql}\n  limit ${String(discrepanciesMaxPerRule)}`);
      discrepancies.push(...findings.map((finding) => toDiscrepancy(rule, finding)));
    }
    const [counted] = await query<{ readonly transfers: bigint; readonly accounts: bigint }>(countLedger);
    const sums = await query<BookSum>(sumBooks);
    const books = sums.map((sum): BookTotal => ({ ...sum, units: BigInt(sum.units) }));
    return { transfers: 0n, accounts: 0n, ...counted, checkedAt: clock.now(), discrepancies, books };
  });
}

/** Overrides the driver's time limit for requests. The types of pg do not declare `query_timeout`. */
function withTimeLimit(text: string): { readonly text: string; readonly query_timeout: number } {
  return { text, query_timeout: statementTimeoutMs };
}

function toDiscrepancy(rule: string, { subject, expected, found }: Finding): Discrepancy {
  return { rule, subject, expected: formatUnits(BigInt(expected)), found: formatUnits(BigInt(found)) };
}
