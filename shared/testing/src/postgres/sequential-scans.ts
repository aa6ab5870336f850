import type { Database, Statement } from '@holdfast/postgres';

type Plan = { readonly 'Node Type': string; readonly 'Relation Name'?: string; readonly Plans?: readonly Plan[] };

/** The tables that the plan of the statement scans sequentially. */
export async function sequentialScans(
  { pool }: Pick<Database, 'pool'>,
  { text }: Pick<Statement, 'text'>,
  values: readonly unknown[],
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ readonly 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
    `explain (format json) ${text}`,
    values,
  );
  const scanned = (plan: Plan): readonly string[] => [
    ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
    ...(plan.Plans ?? []).flatMap(scanned),
  ];
  return rows.flatMap((row) => scanned(row['QUERY PLAN'][0].Plan));
}
