import { Option, type Command } from 'commander';
import { currencies } from '@holdfast/kernel/money';
import type { Statement } from '@holdfast/sdk';
import { example, outputOf, type Context } from './context.js';
import type { Output } from './output.js';
import { clientOf } from './resources/client.js';

type Flags = {
  readonly from: string;
  readonly to: string;
  readonly currency?: (typeof currencies)[number];
  readonly csv?: true;
};

const columns = ['at', 'amount', 'available', 'reserved', 'description'];
const pageSize = 1_000;

export function addStatements(program: Command, context: Context): void {
  const command = program
    .command('statements')
    .description('what happened to the balance of a user in a period, at most 366 days')
    .argument('<userId>')
    .requiredOption('--from <time>', 'the beginning: a date, which is its midnight, or a time')
    .requiredOption('--to <time>', 'the end')
    .addOption(new Option('--currency <value>', 'left out: USD').choices(currencies))
    .option('--csv', 'the file that spreadsheets open, on stdout');
  example(
    command,
    'holdfast statements usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y --from 2026-01-01 --to 2026-02-01',
    'holdfast statements usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y --from 2026-01-01 --to 2026-02-01 --csv > january.csv',
  ).action(async (userId: string, { csv, ...period }: Flags, of: Command) => {
    if (!/^usr_\w+$/.test(userId)) of.error(`error: "${userId}" is not the id of a user; it begins with usr_.`);
    const client = await clientOf(context, of);
    if (csv === true) {
      for await (const text of client.statements.csv(userId, period)) await write(text);
      return;
    }
    const pages: Statement[] = [];
    let cursor: string | null = null;
    do {
      const page: Statement = await client.statements.get(userId, {
        ...period,
        limit: pageSize,
        ...(cursor === null ? {} : { cursor }),
      });
      pages.push(page);
      cursor = page.nextCursor;
    } while (cursor !== null);
    show(outputOf(of), pages);
  });
}

/** A pipe that is full slows the download down. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error instanceof Error ? reject(error) : resolve()));
  });
}

function show(output: Output, pages: readonly Statement[]): void {
  // The sums of the last page: lines that were added meanwhile are in them.
  const last = pages.at(-1);
  if (last === undefined) return;
  const { hasMore: _hasMore, nextCursor: _nextCursor, lines: _lines, ...sums } = last;
  const lines = pages.flatMap((page) => page.lines);
  if (output.isJson) {
    output.record({ ...sums, lines });
    return;
  }
  output.list(lines, columns);
  const { opening, closing, totals, currency, isComplete } = sums;
  output.line(
    [
      '',
      `opening   ${opening.available} ${currency} available, ${opening.reserved} reserved`,
      `in        ${totals.in}`,
      `out       ${totals.out}`,
      `closing   ${closing.available} ${currency} available, ${closing.reserved} reserved`,
      `fees      ${totals.fees}, kept by the platform from payments`,
      ...(isComplete ? [] : ['The period is not over: lines may still be added.']),
    ].join('\n'),
  );
}
