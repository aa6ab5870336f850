import { setTimeout as pause } from 'node:timers/promises';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { scramVerifier } from './derive-password.js';
import { codeOf } from './unavailable.js';

export type RoleToProvision = {
  readonly adminUrl: string;
  readonly service: string;
  readonly password: string;
  readonly connectTimeoutMs: number;
};

const serviceNamePattern = /^[a-z][a-z0-9-]{0,40}$/;

export function schemaOf(service: string): string {
  if (!serviceNamePattern.test(service))
    throw new Error(`"${service}" cannot name a schema: use lower-case letters, digits and hyphens.`);
  return service.replaceAll('-', '_');
}

export function roleOf(service: string): string {
  return `holdfast_${schemaOf(service)}`;
}

/**
 * Roles belong to the whole server while advisory locks belong to one database, so two installations on one server can
 * still meet here. The loser sees one of these codes and tries again.
 */
const meetingCodes: ReadonlySet<string> = new Set(['XX000', '23505', '42710', '40001', '40P01']);
const attemptsMax = 10;
const attemptPauseMs = 50;

/** As administrator: the role, its schema, and nothing else for it. Safe to repeat and to run from several processes. */
export async function provisionRole(options: RoleToProvision): Promise<void> {
  const client = new Client({
    connectionString: options.adminUrl,
    connectionTimeoutMillis: options.connectTimeoutMs,
    application_name: 'holdfast-provision',
  });
  client.on('error', () => undefined); // the statement that is running reports it
  await client.connect();
  try {
    await withRepeats(() => provisionOnce(client, options));
  } finally {
    await client.end();
  }
}

async function withRepeats(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt >= attemptsMax || !meetingCodes.has(codeOf(error) ?? '')) throw error;
      await pause(attemptPauseMs * attempt);
    }
  }
}

async function provisionOnce(client: Client, options: RoleToProvision): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('holdfast:provision', 0))`);
    await createRoleAndSchema(client, options);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

type Found = { readonly role_exists: boolean; readonly is_superuser: boolean };

async function createRoleAndSchema(client: Client, { service, password }: RoleToProvision): Promise<void> {
  const role = escapeIdentifier(roleOf(service));
  const schema = escapeIdentifier(schemaOf(service));
  const { rows } = await client.query<Found>(findRole, [roleOf(service)]);
  const [found] = rows;
  if (found?.role_exists !== true)
    await client.query(`create role ${role} login nosuperuser nocreatedb nocreaterole noreplication`);
  await client.query(`alter role ${role} with login password ${escapeLiteral(scramVerifier(password))}`);
  // An administrator who is no superuser must be a member of the role before he can give it a schema.
  if (found?.is_superuser !== true) await client.query(`grant ${role} to current_user`);
  await client.query(`create schema if not exists ${schema} authorization ${role}`);
  await client.query(`revoke all on schema ${schema} from public`);
  await confine(client, service);
}

type Reach = {
  readonly database: string;
  readonly enters: boolean;
  readonly reaches_public: boolean;
  readonly makes_temporary: boolean;
};

/** Whatever everybody may do, a service role may do too, so nobody may. Asked first: only the owner can change these. */
async function confine(client: Client, service: string): Promise<void> {
  const { rows } = await client.query<Reach>(findReach, [roleOf(service)]);
  const [reach] = rows;
  if (reach === undefined) throw new Error('The server does not name its database.');
  const database = escapeIdentifier(reach.database);
  const role = escapeIdentifier(roleOf(service));
  await client.query(`alter role ${role} in database ${database} set search_path = ${escapeIdentifier(schemaOf(service))}`);
  if (reach.reaches_public) await client.query('revoke all on schema public from public');
  if (reach.makes_temporary) await client.query(`revoke temporary on database ${database} from public`);
  if (!reach.enters) await client.query(`grant connect on database ${database} to ${role}`);
}

const findRole = `
  select
    rolsuper as is_superuser,
    exists (select from pg_roles where rolname = $1) as role_exists
  from pg_roles
  where rolname = current_user`;

const findReach = `
  select
    current_database() as database,
    has_database_privilege($1, current_database(), 'connect') as enters,
    has_database_privilege($1, current_database(), 'temporary') as makes_temporary,
    coalesce(has_schema_privilege($1, to_regnamespace('public'), 'usage, create'), false) as reaches_public`;
