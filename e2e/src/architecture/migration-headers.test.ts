import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles } from './list-files.js';
import { repository } from './planted-tree.js';

const firstLine = /^-- compatible since (\d{4})\n/;
const migration = /(?:^|\/)migrations\/(?:[a-z-]+\/)?(\d{4})-[a-z0-9-]+\.sql$/;

/** Undefined where the first line says from which version on code may run on the schema after the migration. */
function faultOf(file: string, text: string): string | undefined {
  const since = firstLine.exec(text)?.[1];
  if (since === undefined) return `${file} does not begin with "-- compatible since NNNN"`;
  const number = migration.exec(file)?.[1] ?? '';
  return since <= number ? undefined : `${file} is compatible since a later version than its own`;
}

describe('a migration', () => {
  it('begins with the oldest version whose code may run on the schema after it', async () => {
    const files = (await listFiles(repository)).filter((file) => migration.test(file));
    expect(files.length).toBeGreaterThan(10);
    expect(files.flatMap((file) => faultOf(file, readFileSync(path.join(repository, file), 'utf8')) ?? [])).toEqual([]);
  });

  it.each([
    ['without the line', 'create table notes (id int);\n'],
    ['with the line further below', '-- Notes of users.\n-- compatible since 0001\n'],
    ['with a version in the future', '-- compatible since 0003\n'],
  ])('%s is found', (_, text) => {
    expect(faultOf('services/orders/migrations/0002-notes.sql', text)).toBeDefined();
  });
});
