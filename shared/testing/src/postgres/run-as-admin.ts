import { Client } from 'pg';

/** Runs one statement on its own connection. */
export async function runAsAdmin<Row>(url: string, sql: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, [...parameters])).rows as readonly Row[];
  } finally {
    await client.end();
  }
}

export function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}
