import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { retry } from '@holdfast/kernel/async';
import { scramVerifier } from './derive-password.js';
import { codeOf } from './sql-state.js';

export type RolesToProvision = {
  readonly adminUrl: string;
  readonly service: string;
  /** The password of a role; see `derivePassword`. */
  readonly passwordOf: (role: string) => string;
  readonly connectTimeoutMs: number;
};

const serviceNamePattern = /^[a-z][a-z0-9-]{0,40}$/;

export function schemaOf(service: string): string {
  if (!serviceNamePattern.test(service))
    throw new Error(`"${service}" cannot name a schema: use lower-case letters, digits and hyphens.`);
  return service.replaceAll('-', '_');
}

/** Owns the schema and runs its migrations. */
export function ownerRoleOf(service: string): string {
  return `holdfast_${schemaOf(service)}`;
}

/** The role of the running service: it reads and writes rows, but cannot change tables. */
export function appRoleOf(service: string): string {
  return `${ownerRoleOf(service)}_app`;
}

/**
 * Errors of concurrent provisioning, which is retried. The advisory lock does not prevent it between two installations on one
 * server, because roles are global while advisory locks belong to one database.
 */
const concurrentProvisioningCodes: ReadonlySet<string> = new Set(['XX000', '23505', '42710', '40001', '40P01']);
const retries = { attemptsMax: 10, firstDelayMs: 50, delayMsMax: 500 } as const;

/** Creates both roles and the schema as administrator. Idempotent, and safe to run from several processes. */
export async function provisionRoles(options: RolesToProvision): Promise<void> {
  const client = new Client({
    connectionString: options.adminUrl,
    connectionTimeoutMillis: options.connectTimeoutMs,
    application_name: 'holdfast-provision',
  });
  client.on('error', () => undefined); // The running statement reports the error.
  await client.connect();
  try {
    await retry(() => provisionOnce(client, options), { ...retries, shouldRetry: isConcurrentProvisioning });
  } finally {
    await client.end();
  }
}

function isConcurrentProvisioning(error: unknown): boolean {
  return concurrentProvisioningCodes.has(codeOf(error) ?? '');
}

async function provisionOnce(client: Client, options: RolesToProvision): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('holdfast:provision', 0))`);
    await createRolesAndSchema(client, options);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function createRolesAndSchema(client: Client, { service, passwordOf }: RolesToProvision): Promise<void> {
  const [owner, app] = [ownerRoleOf(service), appRoleOf(service)];
  for (const role of [owner, app]) await createRole(client, role, passwordOf(role));
  const schema = escapeIdentifier(schemaOf(service));
  await client.query(`create schema if not exists ${schema} authorization ${escapeIdentifier(owner)}`);
  await client.query(`revoke all on schema ${schema} from public`);
  await grantRows(client, service);
  for (const role of [owner, app]) await revokePublicAccess(client, role, schemaOf(service));
}

type RoleState = { readonly role_exists: boolean; readonly is_superuser: boolean };

async function createRole(client: Client, name: string, password: string): Promise<void> {
  const role = escapeIdentifier(name);
  const { rows } = await client.query<RoleState>(findRole, [name]);
  const [found] = rows;
  if (found?.role_exists !== true)
    await client.query(`create role ${role} login nosuperuser nocreatedb nocreaterole noreplication`);
  await client.query(`alter role ${role} with login password ${escapeLiteral(scramVerifier(password))}`);
  // An administrator without superuser rights must be a member of the role to create a schema for it.
  if (found?.is_superuser !== true) await client.query(`grant ${role} to current_user`);
}

/** Default privileges for the tables that migrations create. A migration revokes what the application must not do. */
async function grantRows(client: Client, service: string): Promise<void> {
  const [owner, app, schema] = [ownerRoleOf(service), appRoleOf(service), schemaOf(service)].map(escapeIdentifier);
  const inSchema = `alter default privileges for role ${String(owner)} in schema ${String(schema)}`;
  await client.query(`grant usage on schema ${String(schema)} to ${String(app)}`);
  await client.query(`${inSchema} grant select, insert, update, delete on tables to ${String(app)}`);
  await client.query(`${inSchema} grant usage, select on sequences to ${String(app)}`);
}

type Privileges = {
  readonly database: string;
  readonly can_connect: boolean;
  readonly can_use_public: boolean;
  readonly can_create_temporary: boolean;
};

/** Revokes the privileges that every role has through `public`. Only if needed, because only the owner of the database may. */
async function revokePublicAccess(client: Client, name: string, schema: string): Promise<void> {
  const { rows } = await client.query<Privileges>(findPrivileges, [name]);
  const [privileges] = rows;
  if (privileges === undefined) throw new Error('The query for the privileges returned no row.');
  const database = escapeIdentifier(privileges.database);
  const role = escapeIdentifier(name);
  await client.query(`alter role ${role} in database ${database} set search_path = ${escapeIdentifier(schema)}`);
  if (privileges.can_use_public) await client.query('revoke all on schema public from public');
  if (privileges.can_create_temporary) await client.query(`revoke temporary on database ${database} from public`);
  if (!privileges.can_connect) await client.query(`grant connect on database ${database} to ${role}`);
}

const findRole = `
  select
    rolsuper as is_superuser,
    exists (select from pg_roles where rolname = $1) as role_exists
  from pg_roles
  where rolname = current_user`;

const findPrivileges = `
  select
    current_database() as database,
    has_database_privilege($1, current_database(), 'connect') as can_connect,
    has_database_privilege($1, current_database(), 'temporary') as can_create_temporary,
    coalesce(has_schema_privilege($1, to_regnamespace('public'), 'usage, create'), false) as can_use_public`;
