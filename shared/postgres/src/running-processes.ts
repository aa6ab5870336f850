import { Client } from 'pg';
import type { ConnectionPool } from './database.js';
import { derivePassword } from './derive-password.js';
import { libpqUrl } from './libpq-url.js';
import { appRoleOf } from './provision-roles.js';
import { codeOf } from './sql-state.js';
import { toAppError } from './unavailable.js';

/** A process of the installation that has reported itself lately. */
export type RunningProcess = {
  readonly instanceId: string;
  readonly service: string;
  readonly version: string;
  /** How many connections to the database it may open. */
  readonly connections: number;
  /** The settings that processes compare: values, and keyed hashes of secrets. */
  readonly settings: Readonly<Record<string, string>>;
  readonly startedAtSeconds: number;
};

export type ReportedProcess = Pick<RunningProcess, 'instanceId' | 'version' | 'connections' | 'settings'>;

/** The processes of the installation. See `platform-schema.ts` for who may do what. */
export type ProcessRegistry = {
  /** The key of the hashes, random for each installation. */
  readonly salt: () => Promise<string>;
  readonly running: () => Promise<readonly RunningProcess[]>;
  readonly connectionsMax: () => Promise<number>;
  /** Stores the process, or that it is still running. Only for the serving role of a service. */
  readonly report: (reported: ReportedProcess) => Promise<void>;
  readonly forget: (instanceId: string) => Promise<void>;
};

/** Several times the interval of the reports. A process that died without a word counts for this long. */
const aliveSeconds = 30;

type Query = (sql: string, values: readonly unknown[]) => Promise<readonly unknown[]>;

export function processRegistryOn(pool: Pick<ConnectionPool, 'query'>): ProcessRegistry {
  return registryOn(async (sql, values) => (await pool.query(sql, values)).rows);
}

export type RegistryAccess = {
  readonly adminUrl: string;
  readonly service: string;
  readonly internalSecret: string;
  /** Without it the process has only the login of its serving role. */
  readonly migrateAtStart?: boolean;
};

/**
 * Runs `work` with the registry. It gets undefined where no administrator has created the registry, or the serving role: then there is
 * nobody to compare with, or the start will say what is missing.
 */
export async function withProcessRegistry<T>(
  access: RegistryAccess,
  work: (registry: ProcessRegistry | undefined) => Promise<T>,
): Promise<T> {
  const connectionString = access.migrateAtStart === false ? servingUrl(access) : libpqUrl(access.adminUrl);
  const client = new Client({ connectionString, connectionTimeoutMillis, application_name: 'holdfast-check' });
  client.on('error', () => undefined); // The running statement reports the error.
  try {
    const isLoggedIn = await logIn(client, access);
    return await work(isLoggedIn ? await findRegistryOn(client) : undefined);
  } catch (error) {
    throw toAppError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function servingUrl({ adminUrl, service, internalSecret }: RegistryAccess): string {
  const url = new URL(libpqUrl(adminUrl));
  const role = appRoleOf(service);
  if (decodeURIComponent(url.username) === role && url.password !== '') return url.toString();
  url.username = role;
  url.password = derivePassword(internalSecret, role);
  return url.toString();
}

const refusedLoginCodes: ReadonlySet<string> = new Set(['28P01', '28000', '42501']);

async function logIn(client: Client, { migrateAtStart }: RegistryAccess): Promise<boolean> {
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (migrateAtStart === false && refusedLoginCodes.has(codeOf(error) ?? '')) return false;
    throw error;
  }
}

async function findRegistryOn(client: Client): Promise<ProcessRegistry | undefined> {
  const { rows } = await client.query<{ readonly exists: boolean }>(findRegistry);
  if (rows[0]?.exists !== true) return undefined;
  return registryOn(async (sql, values) => (await client.query<object>(sql, [...values])).rows);
}

const connectionTimeoutMillis = 10_000;

const findRegistry = `select to_regprocedure('platform.report_process(text, text, integer, jsonb)') is not null as exists`;

function registryOn(query: Query): ProcessRegistry {
  return {
    salt: async () =>
      firstOf((await query('select platform.installation_salt() as salt', [])) as readonly { readonly salt: string }[]).salt,
    running: async () => (await query(listProcesses, [aliveSeconds])) as readonly RunningProcess[],
    connectionsMax: async () => firstOf((await query(findConnectionsMax, [])) as readonly { readonly max: number }[]).max,
    report: async ({ instanceId, version, connections, settings }) => {
      await query('select platform.report_process($1, $2, $3, $4)', [instanceId, version, connections, JSON.stringify(settings)]);
    },
    forget: async (instanceId) => {
      await query('select platform.forget_process($1)', [instanceId]);
    },
  };
}

function firstOf<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('The registry of processes returned no row.');
  return row;
}

const listProcesses = `
  select
    instance_id as "instanceId",
    replace(service, '_', '-') as service,
    version,
    connections,
    settings,
    extract(epoch from started_at)::float8 as "startedAtSeconds"
  from platform.list_processes($1)
  order by started_at, instance_id`;

const findConnectionsMax = `
  select
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) as max`;
