import type { BoundStatement } from './database.js';

type Write = (rows: readonly never[]) => BoundStatement;

type RowsOf<Writes> = {
  readonly [Name in keyof Writes]: Writes[Name] extends (rows: infer Rows) => BoundStatement ? Rows : never;
};

/**
 * Joins several writes into one statement with CTEs, which is cheaper than one statement each. All writes see the same snapshot: no
 * two may write the same row, and none sees the rows of another. A write without rows has no effect.
 */
export function joinWrites<Writes extends Readonly<Record<string, Write>>>(
  name: string,
  writes: Writes,
): (rows: RowsOf<Writes>) => BoundStatement {
  const parts = Object.entries<Write>(writes);
  let parameters = 0;
  const clauses = parts.map(([part, write]) => {
    const { text, values } = write([]);
    const clause = `${part}_written as (${withParametersAfter(parameters, text)})`;
    parameters += values.length;
    return clause;
  });
  const text = `
  with ${clauses.join(',\n  ')}
  select`;
  return (rows) => ({ name, text, values: parts.flatMap(([part, write]) => write(rows[part] as readonly never[]).values) });
}

function withParametersAfter(offset: number, text: string): string {
  return text.replaceAll(/\$(\d+)/g, (_, number) => `$${(Number(number) + offset).toString()}`);
}
