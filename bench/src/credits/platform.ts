import { checkLedger } from '@holdfast/ledger-balance';
import { callerHeader, callerSigner } from '@holdfast/http/caller';
import { scopes, systemClock } from '@holdfast/kernel/context';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import { connectDatabase, type Database } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import { startPlatformProcess } from '../servers/platform-process.js';

/** Where requests go, and the headers that let them in. The signature of a caller is good for half a minute. */
export type Endpoint = { readonly url: string; readonly headers: () => Readonly<Record<string, string>> };

/** The ledger and the gateway, each in its own process as in production, on Postgres and RabbitMQ. */
export type Platform = {
  readonly ledger: Endpoint;
  readonly gateway: Endpoint;
  readonly pids: Readonly<Record<'ledger-balance' | 'gateway', number>>;
  readonly database: Database;
  /** Throws unless the books are sound and the balances are the sum of the credits. Returns how many were committed. */
  readonly audit: () => Promise<number>;
};

type Options = {
  readonly folder: string;
  readonly postgresUrl: string;
  readonly amqpUrl: string;
  readonly users: readonly UserId[];
  readonly onEnd: (stop: () => Promise<void>) => void;
};

const service = 'ledger-balance';
const secret = 'bench-only-internal-secret-0123456789';
const masterKey = 'bench-only-master-key-0123456789abcdef';
const clock = systemClock();

export async function startPlatform({ folder, postgresUrl, amqpUrl, users, onEnd }: Options): Promise<Platform> {
  const ledger = await startPlatformProcess({
    name: service,
    folder,
    env: { DATABASE_URL: postgresUrl, AMQP_URL: amqpUrl, INTERNAL_SECRET: secret },
  });
  onEnd(ledger.stop);
  const gateway = await startPlatformProcess({
    name: 'gateway',
    folder,
    env: {
      DATABASE_URL: postgresUrl,
      AMQP_URL: amqpUrl,
      INTERNAL_SECRET: secret,
      MASTER_KEY: masterKey,
      LEDGER_BALANCE_URL: ledger.url,
      RATE_LIMIT_MAX: '0',
    },
  });
  onEnd(gateway.stop);
  const database = await connectDatabase({
    adminUrl: postgresUrl,
    service,
    internalSecret: secret,
    poolMax: 2,
    log: silentLog,
  });
  onEnd(database.close);
  await database.pool.query(insertUsers, [users, defaultMarketplaceId]);
  return {
    ledger: { url: ledger.url, headers: () => ({ [callerHeader]: signCaller() }) },
    gateway: { url: gateway.url, headers: () => ({ authorization: `Bearer ${masterKey}` }) },
    pids: { 'ledger-balance': ledger.pid, gateway: gateway.pid },
    database,
    audit: () => auditCredits(database),
  };
}

/** Signs the caller as the gateway would. */
function signCaller(): string {
  const caller = { type: 'master', id: 'master', marketplaceId: defaultMarketplaceId, scopes } as const;
  return callerSigner({ secret, clock }).sign({ caller }, service);
}

const insertUsers = `
  insert into users (id, marketplace_id, type, status, version, received_at)
  select id, $2, 'BOTH', 'ACTIVE', 1, now()
  from unnest($1::text[]) as id`;

const sumBalances = `
  select coalesce(sum(available_units), 0)::bigint as units
  from accounts
  where kind = 'user'`;

const unitsPerCredit = 100_000n;

async function auditCredits(database: Database): Promise<number> {
  const proof = await checkLedger(database, clock);
  const [firstFault] = proof.discrepancies;
  if (firstFault !== undefined) throw new Error(`the books are not sound: ${JSON.stringify(firstFault)}`);
  const { rows } = await database.pool.query<{ readonly units: bigint }>(sumBalances);
  if (rows[0]?.units !== proof.transfers * unitsPerCredit) throw new Error('the balances are not the sum of the credits');
  return Number(proof.transfers);
}
