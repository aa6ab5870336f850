import { openDatabase } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import { CannotStart } from './data-folder/index.js';
import { withDatabase } from './provide-database.js';

const adminUrl = 'postgres://someone:hunter2@127.0.0.1:1/nothing';
const options = { adminUrl, service: 'broker', internalSecret: 'a secret', migrations: [], poolMax: 1, log: silentLog };

describe('a database that is not reachable', () => {
  it('is refused with a sentence that names it without its login', async () => {
    const refusal: unknown = await withDatabase(adminUrl, () => openDatabase(options)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(CannotStart);
    expect(String(refusal)).toContain('Postgres at 127.0.0.1:1 is not reachable');
    expect(String(refusal)).not.toContain('hunter2');
  });

  it('does not hide a fault of another kind', async () => {
    const bug = new TypeError('x is not a function');
    await expect(withDatabase(adminUrl, () => Promise.reject(bug))).rejects.toBe(bug);
  });
});
