import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Log } from '@holdfast/kernel/context';
import { eventually } from '@holdfast/testing/eventually';
import { collectingLog, silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { selfSignedCertificate, type Certificate } from '@holdfast/testing/tls';
import { derivePassword } from './derive-password.js';
import { openDatabase, type Database } from './index.js';

let server: TestDatabase;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-server-fit-'));
  server = await testDatabase();
}, serverStartTimeoutMs);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.drop();
});

/** Roles belong to the server, which other test files use, too. */
const unique = randomBytes(4).toString('hex');

function databaseName(): string {
  return new URL(server.adminUrl).pathname.slice(1);
}

function urlWith(change: (url: URL) => void): string {
  const url = new URL(server.adminUrl);
  change(url);
  return url.toString();
}

function urlAs(login: string, password: string): string {
  return urlWith((url) => {
    url.username = login;
    url.password = password;
  });
}

function open(adminUrl: string, service = `fit-${unique}`, poolMax = 1, log: Log = silentLog): Promise<Database> {
  const { internalSecret } = server;
  return openDatabase({ adminUrl, service, internalSecret, migrations: [], poolMax, listPoolMax: 1, log });
}

describe('a server', () => {
  it('is refused with every reason that the login, the database and its connections give', async () => {
    const login = `powerless_${unique}`;
    await server.asAdmin(`create role ${login} login password 'powerless'`);
    const name = `latin_${unique}`;
    await server.asAdmin(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
    await server.asAdmin(`alter database ${name} set default_transaction_read_only = on`);
    const latin = new URL(urlAs(login, 'powerless'));
    latin.pathname = `/${name}`;

    const refused = open(latin.toString(), 'fit-refused', 9_999);
    await expect(refused).rejects.toThrow(/^Postgres at 127\.0\.0\.1:\d+ cannot be used:/);
    await expect(refused).rejects.toMatchObject({
      name: 'ServerUnfit',
      faults: [
        'The server accepts no writes: default_transaction_read_only is on.',
        `The database ${name} has the encoding LATIN1; create one with encoding 'UTF8'.`,
        expect.stringMatching(/^This process needs 10000 connections, and the server allows \d+/),
        `The login ${login} may not create roles: as a superuser, run: alter role ${login} createrole;`,
        `The login ${login} may not create schemas: run: grant create on database ${name} to ${login};`,
      ],
    });
    await server.asAdmin(`drop database ${name}`);
    await server.asAdmin(`drop role ${login}`);
  });

  it('is reported when the pool of a process fits, but not beside the connections that others have open', async () => {
    const other = await open(server.adminUrl);
    const [row] = await server.asAdmin<{ readonly free: number }>(
      `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as free`,
    );
    const free = row?.free ?? 0;
    const warningsWith = async (poolMax: number): Promise<readonly string[]> => {
      const log = collectingLog();
      await (await open(server.adminUrl, `fit-${unique}`, poolMax, log)).close();
      return log.lines.filter(({ level }) => level === 'warn').map(({ fact }) => fact);
    };

    expect(await warningsWith(1)).toEqual([]);
    expect(await warningsWith(free - 1)).toEqual([expect.stringContaining('raise max_connections or lower DATABASE_POOL_MAX')]);
    await expect(open(server.adminUrl, `fit-${unique}`, free)).rejects.toMatchObject({ name: 'ServerUnfit' });
    await other.close();
  });

  it('is refused to an administrator who may not alter the roles of another one', async () => {
    const database = await open(server.adminUrl);
    await database.close();
    const login = `second_${unique}`;
    await server.asAdmin(`create role ${login} login createrole password 'second'`);
    await server.asAdmin(`grant create on database ${databaseName()} to ${login}`);
    const [owner, app] = [`holdfast_fit_${unique}`, `holdfast_fit_${unique}_app`];
    await expect(open(urlAs(login, 'second'))).rejects.toMatchObject({
      faults: [expect.stringContaining(`grant ${owner}, ${app} to ${login} with admin option`)],
    });

    await server.asAdmin(`grant ${owner}, ${app} to ${login} with admin option`);
    await (await open(urlAs(login, 'second'))).close();
    await server.asAdmin(`drop owned by ${login}`);
    await server.asAdmin(`drop role ${login}`);
  });

  it("is refused to the schema's owner when there is no schema", async () => {
    const owner = `holdfast_fit_${unique}_alone`;
    await server.asAdmin(`create role ${owner} login password '${derivePassword(server.internalSecret, owner)}'`);
    const url = urlAs(owner, derivePassword(server.internalSecret, owner));
    await expect(open(url, `fit-${unique}-alone`)).rejects.toMatchObject({
      faults: [expect.stringContaining('needs a schema'), expect.stringContaining(`The role ${owner}_app does not exist`)],
    });
    await server.asAdmin(`drop role ${owner}`);
  });
});

describe('a server with TLS', () => {
  let certificate: Certificate;
  let other: Certificate;

  beforeAll(async () => {
    [certificate, other] = await Promise.all([selfSignedCertificate(folder), selfSignedCertificate(folder)]);
    await switchTlsOn(certificate);
  }, 60_000);

  afterAll(async () => {
    await server.asAdmin('alter system reset ssl');
    await server.asAdmin('select pg_reload_conf()');
  });

  const tlsUrl = (host: string, options: Readonly<Record<string, string>>): string =>
    urlWith((url) => {
      url.hostname = host;
      for (const [name, value] of Object.entries(options)) url.searchParams.set(name, value);
    });

  it.each([
    ['disable', '127.0.0.1', false],
    ['require', '127.0.0.1', false],
    ['require', '127.0.0.1', true],
    ['verify-ca', '127.0.0.1', true],
    ['verify-full', 'localhost', true],
  ])('is used with sslmode=%s at %s, sslrootcert given: %s', async (sslmode, host, hasRoot) => {
    const options = { sslmode, ...(hasRoot ? { sslrootcert: certificate.certFile } : {}) };
    const database = await open(tlsUrl(host, options));
    const { rows } = await database.pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    expect(rows).toEqual([{ ssl: sslmode !== 'disable' }]);
    await database.close();
  });

  it.each([
    ['verify-full', '127.0.0.1', () => certificate.certFile],
    ['verify-full', 'localhost', () => other.certFile],
    ['verify-ca', 'localhost', () => other.certFile],
    ['require', 'localhost', () => other.certFile],
  ])('is refused with sslmode=%s at %s when its certificate does not fit', async (sslmode, host, root) => {
    await expect(open(tlsUrl(host, { sslmode, sslrootcert: root() }))).rejects.toMatchObject({
      faults: [expect.stringMatching(/^The certificate of the server was refused \(.+\); name the file of its authority/)],
    });
  });
});

it('a server without TLS is refused where sslmode wants it', async () => {
  const url = urlWith(({ searchParams }) => searchParams.set('sslmode', 'require'));
  await eventually(() => expect(open(url)).rejects.toMatchObject({ faults: [expect.stringContaining('has TLS switched off')] }));
});

/** The server writes the files itself, because it may run as another user and refuses a key that others may read. */
async function switchTlsOn({ cert, key }: Certificate): Promise<void> {
  const write = (name: string, text: string): Promise<unknown> =>
    server.asAdmin(`copy (select unnest(string_to_array('${text}', E'\\n'))) to program 'umask 077; cat > ${name}'`);
  await write('server.crt', cert);
  await write('server.key', key);
  await server.asAdmin('alter system set ssl = on');
  await server.asAdmin('select pg_reload_conf()');
  await eventually(async () => expect(await server.asAdmin('show ssl')).toEqual([{ ssl: 'on' }]));
}
