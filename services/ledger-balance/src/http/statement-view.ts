import { statementColumns, type StatementLine, type StatementView } from '@holdfast/contracts/http';
import type { Download } from '@holdfast/http/server';
import { formatUnits } from '@holdfast/kernel/money';
import type { DescribedTransfer, ExportedStatement, StatementPage } from '../use-cases/get-statement.js';
import type { Amounts } from '../use-cases/ports.js';
import { csvRow, textCell } from './csv-row.js';

export function viewOfStatement({ period, sums, isComplete, page }: StatementPage): StatementView {
  const { userId, currency, from, to } = period;
  const { inUnits, outUnits, feeUnits } = sums;
  return {
    userId,
    currency,
    from,
    to,
    opening: viewOfAmounts(sums.opening),
    closing: viewOfAmounts(sums.closing),
    totals: { in: formatUnits(inUnits), out: formatUnits(outUnits), fees: formatUnits(feeUnits) },
    lines: page.items.map(viewOfLine),
    isComplete,
    hasMore: page.nextCursor !== null,
    nextCursor: page.nextCursor,
  };
}

export function fileOfStatement(statement: ExportedStatement): Download {
  const { userId, currency, from, to } = statement.period;
  const fileName = `statement-${userId}-${currency}-${from.slice(0, 10)}-${to.slice(0, 10)}.csv`;
  return { fileName, chunks: rowsOf(statement) };
}

/** The last row is the closing balance, so that a file that is cut off is recognised. */
async function* rowsOf({ pages, sums }: ExportedStatement): AsyncGenerator<string> {
  let head = csvRow(statementColumns);
  for await (const lines of pages) {
    yield head + lines.map(rowOfLine).join('');
    head = '';
  }
  yield rowOf({ at: 'closing', ...viewOfAmounts(sums.closing) });
}

function rowOfLine(transfer: DescribedTransfer): string {
  return rowOf(viewOfLine(transfer));
}

const amountColumns: readonly string[] = ['amount', 'available', 'reserved'];

function rowOf(line: Partial<StatementLine>): string {
  return csvRow(
    statementColumns.map((column) => {
      const value = line[column] ?? null;
      return amountColumns.includes(column) ? value : textCell(value);
    }),
  );
}

function viewOfLine(transfer: DescribedTransfer): StatementLine {
  const { id, type, at, availableChangeUnits, reservedChangeUnits, orderId, milestoneRef, reference } = transfer;
  return {
    at,
    type,
    amount: formatUnits(availableChangeUnits + reservedChangeUnits),
    ...viewOfAmounts(transfer),
    transferId: id,
    orderId,
    milestoneRef,
    topupId: type === 'TOPUP' ? reference : null,
    withdrawalId: type === 'WITHDRAWAL' ? reference : null,
    description: transfer.text,
  };
}

function viewOfAmounts({ availableUnits, reservedUnits }: Amounts): StatementView['opening'] {
  return { available: formatUnits(availableUnits), reserved: formatUnits(reservedUnits) };
}
