import type { Installation } from '@holdfast/all-in-one/commands';
import { checkLedger, type LedgerReport } from '@holdfast/ledger-balance/operator';
import { systemClock } from '@holdfast/kernel/context';
import { formatUnits } from '@holdfast/kernel/money';
import { createLog } from '@holdfast/observability';
import { latestSolvency, type ReportedSolvency } from '@holdfast/payments/operator';
import { onDatabase } from '../command/on-installation.js';
import { textTable } from '../text-table/index.js';

/** What the checks of the books have found. */
export type BooksReport = {
  readonly isSound: boolean;
  readonly ledger: LedgerReport;
  readonly solvency: readonly ReportedSolvency[];
};

/** Checks every rule of the ledger, and reads what the last reconciliation report says. */
export async function checkBooks(installation: Installation): Promise<BooksReport> {
  const log = createLog({ service: 'verify-ledger', level: 'warn', pretty: true });
  const ledger = await onDatabase(installation, { service: 'ledger-balance', log }, (database) =>
    checkLedger(database, systemClock()),
  );
  const solvency = await onDatabase(installation, { service: 'payments', log }, latestSolvency);
  return { isSound: ledger.discrepancies.length === 0 && solvency.every(isRight), ledger, solvency };
}

/** Checks every rule of the ledger and prints the result. The exit code is 0 when all hold, else 1. */
export async function verifyBooks(installation: Installation): Promise<number> {
  const begin = performance.now();
  const { isSound, ledger, solvency } = await checkBooks(installation);
  report(installation.title, ledger, performance.now() - begin);
  reportSolvency(solvency);
  return isSound ? 0 : 1;
}

function isRight({ unexplainedUnits, assetsUnits, liabilitiesUnits }: ReportedSolvency): boolean {
  return unexplainedUnits === 0n && assetsUnits >= liabilitiesUnits;
}

/** The journal alone does not know what the network and the payment provider hold, so this is what the last report has found. */
function reportSolvency(found: readonly ReportedSolvency[]): void {
  if (found.length === 0) {
    console.log('\nThere is no reconciliation report yet that says what the platform owes and has.');
    return;
  }
  const rows = found.map(({ currency, liabilitiesUnits, assetsUnits, ownMoneyUnits, unexplainedUnits, at }) => [
    currency,
    ...[liabilitiesUnits, assetsUnits, assetsUnits - liabilitiesUnits, ownMoneyUnits, unexplainedUnits].map(formatUnits),
    at,
  ]);
  const columns = ['', 'liabilities', 'assets', 'solvency', 'own money', 'unexplained', 'as of'];
  console.log(`\n${textTable(columns, rows)}`);
  if (!found.every(isRight)) console.log('\nNOT EXPLAINED: see docs/operations/runbooks/money-unexplained.md.');
}

function report(title: string, { checkedAt, transfers, accounts, discrepancies }: LedgerReport, tookMs: number): void {
  console.log(`The books of ${title}\n`);
  const facts = [
    ['transfers', transfers.toLocaleString('en')],
    ['accounts', accounts.toLocaleString('en')],
    ['as of', checkedAt],
    ['took', `${(tookMs / 1_000).toFixed(1)} s`],
  ];
  for (const [label = '', value = ''] of facts) console.log(`  ${label.padEnd(10)} ${value}`);
  if (discrepancies.length === 0) {
    console.log('\nSound: every rule of the books holds.');
    return;
  }
  const rows = discrepancies.map(({ rule, subject, expected, found }) => [rule, subject, expected, found]);
  console.log(`\n${textTable(['broken rule', 'where', 'expected', 'found'], rows)}`);
  console.log(`\nNOT SOUND: ${discrepancies.length} contradictions.`);
}
