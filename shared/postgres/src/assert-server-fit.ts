import { Client } from 'pg';
import type { Log } from '@holdfast/kernel/context';
import { appRoleOf, ownerRoleOf, schemaOf } from './provision-roles.js';
import { isVersionTooOld, serverFaults, type LoginFacts, type ServerFacts } from './server-requirements.js';
import { codeOf } from './sql-state.js';

/** The server, the database or the login lacks what a service needs. The message has every reason. */
class ServerUnfit extends Error {
  readonly faults: readonly string[];

  constructor(host: string, faults: readonly string[], options?: ErrorOptions) {
    super(`Postgres at ${host} cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`, options);
    this.name = 'ServerUnfit';
    this.faults = faults;
  }
}

export type ServerCheck = {
  readonly adminUrl: string;
  readonly service: string;
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly log: Log;
};

/** Refuses a server of an old version, a standby, another encoding, too few connections and a login without the rights it needs; warns of few free connections. */
export async function assertServerFit({ adminUrl, service, connections, connectTimeoutMs, log }: ServerCheck): Promise<void> {
  const { host, pathname } = new URL(adminUrl);
  const roles = { schema: schemaOf(service), ownerRole: ownerRoleOf(service), appRole: appRoleOf(service) };
  const client = new Client({
    connectionString: adminUrl,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'holdfast-check',
  });
  client.on('error', () => undefined); // The running statement reports the error.
  await client.connect().catch((error: unknown) => {
    throw isUntrusted(error) ? new ServerUnfit(host, [untrustedText(error)], { cause: error }) : error;
  });
  try {
    const facts = await readFacts(client, roles);
    const database = decodeURIComponent(pathname.slice(1));
    const faults = serverFaults(facts, { ...roles, connections, database });
    if (faults.length > 0) throw new ServerUnfit(host, faults);
    warnOfConnections(facts, connections, log);
  } finally {
    await client.end();
  }
}

/** All processes together may need more connections than the server has, although each of them can start. */
function warnOfConnections({ connectionsOpen, connectionsMax }: ServerFacts, needed: number, log: Log): void {
  if (connectionsOpen + needed <= connectionsMax) return;
  log.warn(
    { connectionsOpen, needed, connectionsMax },
    'the processes may need more database connections than the server allows: raise max_connections or lower DATABASE_POOL_MAX',
  );
}

type Roles = { readonly schema: string; readonly ownerRole: string; readonly appRole: string };
type ServerRow = Omit<ServerFacts, 'login'>;
type LoginRow = Omit<LoginFacts, 'schemaOwner'> & { readonly schemaOwner: string | null };

async function readFacts(client: Client, { schema, ownerRole, appRole }: Roles): Promise<ServerFacts> {
  const version = firstOf((await client.query<Pick<ServerRow, 'version' | 'versionNumber'>>(selectVersion)).rows);
  if (isVersionTooOld(version.versionNumber)) return { ...unknownFacts, ...version };
  const server = firstOf((await client.query<ServerRow>(selectServer)).rows);
  const login = firstOf((await client.query<LoginRow>(selectLogin, [[ownerRole, appRole], schema])).rows);
  return { ...server, ...version, login: { ...login, schemaOwner: login.schemaOwner ?? undefined } };
}

/** An old server may not know what the other statements ask for, and its version is reason enough. */
const unknownFacts = {
  encoding: '',
  isStandby: false,
  isReadOnly: false,
  connectionsMax: 0,
  connectionsOpen: 0,
  login: {
    name: '',
    isSuperuser: false,
    canCreateRoles: false,
    canCreateSchemas: false,
    rolesFound: [],
    rolesOfOthers: [],
    schemaOwner: undefined,
  },
} as const;

function firstOf<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('The server returned no row about itself.');
  return row;
}

const selectVersion = `
  select
    current_setting('server_version_num')::int as "versionNumber",
    current_setting('server_version') as version`;

const selectServer = `
  select
    pg_encoding_to_char(encoding) as encoding,
    pg_is_in_recovery() as "isStandby",
    current_setting('default_transaction_read_only')::boolean as "isReadOnly",
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) as "connectionsMax",
    (select sum(numbackends)::int - 1 from pg_stat_database) as "connectionsOpen"
  from pg_database
  where datname = current_database()`;

const selectLogin = `
  select
    rolname as name,
    rolsuper as "isSuperuser",
    rolcreaterole as "canCreateRoles",
    has_database_privilege(current_database(), 'create') as "canCreateSchemas",
    array(select rolname::text from pg_roles where rolname = any($1) order by rolname) as "rolesFound",
    array(
      select rolname::text
      from pg_roles
      where rolname = any($1)
        and not pg_has_role(current_user, oid, 'member with admin option')
      order by rolname
    ) as "rolesOfOthers",
    (select nspowner::regrole::text from pg_namespace where nspname = $2) as "schemaOwner"
  from pg_roles
  where rolname = current_user`;

/** What Node reports for a certificate that no known authority has signed, or that names another host. */
const certificateError = /CERT|UNABLE_TO_(GET|VERIFY)/;
const withoutTls = 'The server does not support SSL connections';

function isUntrusted(error: unknown): boolean {
  return certificateError.test(codeOf(error) ?? '') || messageOf(error) === withoutTls;
}

function untrustedText(error: unknown): string {
  if (messageOf(error) === withoutTls)
    return 'The server has TLS switched off, and sslmode in DATABASE_URL wants it; set ssl = on, or sslmode=disable.';
  return `The certificate of the server was refused (${messageOf(error)}); name the file of its authority as sslrootcert in DATABASE_URL.`;
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
