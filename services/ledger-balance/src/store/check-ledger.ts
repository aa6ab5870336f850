import type { Clock } from '@holdfast/kernel/context';
import { formatUnits } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import type { Discrepancy, LedgerReport } from '../use-cases/ports.js';
import { ledgerChecks, countLedger } from './sql/ledger-checks.js';

/** More than this are counted by running it again once these are mended. */
const discrepanciesMaxPerRule = 100;
/** Reading every leg takes longer than a request may. */
const statementTimeoutMs = 10 * 60_000;

type Finding = { readonly subject: string; readonly expected: string; readonly found: string };

/** Reads the whole ledger in one snapshot, so that concurrent postings neither disturb it nor wait for it. */
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
    return { transfers: 0n, accounts: 0n, ...counted, checkedAt: clock.now(), discrepancies };
  });
}

/** The driver's own time limit, which its types leave out, is otherwise that of requests. */
function withTimeLimit(text: string): { readonly text: string; readonly query_timeout: number } {
  return { text, query_timeout: statementTimeoutMs };
}

function toDiscrepancy(rule: string, { subject, expected, found }: Finding): Discrepancy {
  return { rule, subject, expected: formatUnits(BigInt(expected)), found: formatUnits(BigInt(found)) };
}
