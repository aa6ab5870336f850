import type { Context, Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { toPage, type Page } from '@holdfast/kernel/pages';
import { statementTextOf } from '../domain/statement-text.js';
import type { Deps, LinePosition, Period, PeriodSums, StatementTransfer } from './ports.js';
import { userLookup } from './user-lookup.js';

/** The sums of a period that ends now at the latest. */
export type Statement = { readonly period: Period; readonly sums: PeriodSums; readonly isComplete: boolean };

/** A transfer with a text for people. */
export type DescribedTransfer = StatementTransfer & { readonly text: string };

export type StatementPage = Statement & { readonly page: Page<DescribedTransfer> };

export type WantedStatement = Period & { readonly limit: number; readonly cursor?: string | undefined };

/** One page of lines, with the sums of the whole period. */
export async function getStatement(
  deps: Deps,
  { limit, cursor, ...wanted }: WantedStatement,
  ctx: Context,
): Promise<StatementPage> {
  const statement = await openStatement(deps, wanted, ctx);
  const { period, sums } = statement;
  const after = cursor === undefined ? startOf(period) : await positionOf(deps, statement, cursor);
  const found = await linesAfter(deps, { period, sums, after, limit: limit + 1 });
  return { ...statement, page: toPage(found, limit, ({ id }) => id) };
}

/** Read page by page, so that a slow client holds no connection and a long period no memory. */
const exportedPageSize = 1_000;

export type ExportedStatement = Statement & { readonly pages: AsyncIterable<readonly DescribedTransfer[]> };

/** All lines of a period. A place among the exports is taken while the lines are read. */
export async function exportStatement(deps: Deps, wanted: Period, ctx: Context): Promise<ExportedStatement> {
  const statement = await openStatement(deps, wanted, ctx);
  return { ...statement, pages: pagesOf(deps, statement, ctx) };
}

async function* pagesOf(deps: Deps, { period, sums }: Statement, ctx: Context): AsyncGenerator<readonly DescribedTransfer[]> {
  const freePlace = deps.takeExportPlace(ctx.caller.marketplaceId);
  try {
    let after: LinePosition | undefined = startOf(period);
    while (after !== undefined) {
      const lines: readonly DescribedTransfer[] = await linesAfter(deps, { period, sums, after, limit: exportedPageSize });
      yield lines;
      after = lines.length < exportedPageSize ? undefined : lines.at(-1);
    }
  } finally {
    freePlace();
  }
}

async function openStatement(deps: Deps, wanted: Period, ctx: Context): Promise<Statement> {
  const isOver = wanted.to <= ctx.at;
  const period = { ...wanted, to: isOver ? wanted.to : ctx.at };
  if (period.from >= period.to) throw new AppError('VALIDATION_ERROR', { validationErrors: ['from must not lie in the future'] });
  const sums = await requireSums(deps, period, ctx);
  if (!isOver || sums.isClosed) return { period, sums, isComplete: isOver };
  await deps.statements.close(ctx.caller.marketplaceId, period);
  const closed = await requireSums(deps, period, ctx);
  return { period, sums: closed, isComplete: closed.isClosed };
}

async function requireSums(deps: Deps, period: Period, ctx: Context): Promise<PeriodSums> {
  const { marketplaceId } = ctx.caller;
  const { userId } = period;
  const known = await deps.statements.sums(marketplaceId, period);
  if (known !== undefined) return known;
  await deps.users.require(userLookup(ctx, userId));
  const sums = await deps.statements.sums(marketplaceId, period);
  if (sums === undefined) throw new AppError('USER_NOT_FOUND', { userId });
  return sums;
}

type Range = Pick<Statement, 'period' | 'sums'> & { readonly after: LinePosition; readonly limit: number };

async function linesAfter(deps: Deps, { period, sums, after, limit }: Range): Promise<readonly DescribedTransfer[]> {
  if (sums.accountId === null) return [];
  const last = { at: period.to, version: sums.closingVersion };
  const lines = await deps.statements.lines(sums.accountId, { after, last, limit });
  return lines.map((transfer) => ({ ...transfer, text: statementTextOf(transfer) }));
}

/** After every line of exactly this time: versions are positive and below this one. */
const versionMax = 2 ** 31 - 1;

function startOf({ from }: { readonly from: Instant }): LinePosition {
  return { at: from, version: versionMax };
}

async function positionOf(deps: Deps, { period, sums }: Statement, cursor: string): Promise<LinePosition> {
  const position = sums.accountId === null ? undefined : await deps.statements.find(sums.accountId, period, cursor);
  if (position !== undefined) return position;
  throw new AppError('VALIDATION_ERROR', { validationErrors: ['cursor is not a line of this statement'] });
}
