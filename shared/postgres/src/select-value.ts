import type { ConnectionPool, QueryResult, Sql, Statement } from './database.js';

type SelectValue = ConnectionPool['selectValue'];
/** Values by the name of their statement; null where it returned no row. */
type Values = Readonly<Record<string, unknown>>;

/** Calls of one turn of the event loop are one statement, with one value per column. */
export function selectValueWith(query: <Row>(sql: Sql) => Promise<QueryResult<Row>>): SelectValue {
  const asked = new Map<string, Statement>();
  let reading: Promise<Values> | undefined;
  const readAsked = async (): Promise<Values> => {
    await Promise.resolve(); // the rest of the turn asks
    const statements = [...asked.values()];
    asked.clear();
    reading = undefined;
    const { rows } = await query<Values>(joined(statements));
    return rows[0] ?? {};
  };
  return async <Value>(statement: Statement) => {
    asked.set(statement.name, statement);
    reading ??= readAsked();
    const { [statement.name]: value } = await reading;
    return (value ?? undefined) as Value | undefined;
  };
}

/** A statement alone is prepared; which ones come together varies. */
function joined(statements: readonly Statement[]) {
  const columns = statements.map(({ name, text }) => `(${text}) as "${name}"`);
  const text = `select ${columns.join(',\n')}`;
  const [first] = statements;
  return statements.length === 1 && first !== undefined ? { name: first.name, text } : { text, values: [] };
}
