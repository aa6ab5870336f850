import path from 'node:path';
import { Client } from 'pg';

export async function run<Row>(url: string, sql: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows as readonly Row[];
}

/** Null when it was reached through a socket. */
export const placeOfServer = 'select host(inet_server_addr()) as place';

/** As somebody comes who reads no more than host and port. */
export function overTcp(url: string): string {
  const plain = new URL(url);
  plain.searchParams.delete('host');
  return plain.toString();
}

export function socketFolderOf(dataDir: string): string {
  return path.join(dataDir, 'socket');
}
