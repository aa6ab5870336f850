import { Client } from 'pg';

/** Runs one statement with the administrator's URL. */
export async function runAsAdministrator(url: string, sql: string, values: readonly unknown[]): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // The running statement reports the error.
  await client.connect();
  try {
    await client.query(sql, [...values]);
  } finally {
    await client.end();
  }
}
