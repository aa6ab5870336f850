import { fileURLToPath } from 'node:url';
import { createAccountDirectory, createPoster, eventOf, ledgerBalance, type Poster } from '@holdfast/ledger-balance';
import { readConfig } from '@holdfast/process/config';
import type { Clock, Context } from '@holdfast/kernel/context';
import type { BoundRoute } from '@holdfast/http/server';
import { defaultMarketplaceId, type NewId, type UserId } from '@holdfast/kernel/ids';
import { formatMoney, type Money } from '@holdfast/kernel/money';
import { createMetrics } from '@holdfast/observability';
import { messagingMigrations, type Outbox } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import { openBench } from './bench.js';
import { postingOf, type Operation } from './postings.js';
import { openPublishing } from './open-publishing.js';

/** Does one operation on one user. */
type PostOperation = (operation: Operation, userId: UserId, amount: Money) => Promise<unknown>;

/** The ledger without its HTTP server, with the two functions that are measured. */
export type OpenLedger = {
  /** The poster itself: batch, locks, decision, journal, balances, outbox. */
  readonly poster: PostOperation;
  /** What the HTTP server calls: use case, poster and response shape. */
  readonly route: PostOperation;
  readonly published: () => Promise<void>;
  readonly database: Database;
  readonly clock: Clock;
  readonly close: () => Promise<void>;
};

const keyBytes = 32;

export async function openLedger(adminUrl: string, { publishes }: { readonly publishes: boolean }): Promise<OpenLedger> {
  const bench = openBench(adminUrl);
  const { clock, newId, lifecycle, signer } = bench;
  const database = await bench.open(ledgerBalance.name, {
    migrations: [messagingMigrations, fileURLToPath(ledgerBalance.migrations)],
    entities: ledgerBalance.entities,
  });
  const { broker, outbox, published } = await openPublishing(bench, database, publishes);
  const config = readConfig(ledgerBalance.settings, {});
  const metrics = createMetrics({ service: ledgerBalance.name, processMetrics: false });
  const deriveKey = (): Buffer => Buffer.alloc(keyBytes); // nothing is sealed here
  const wake = (): void => undefined; // no job runs here
  const waking = { wake, wakeReplicas: wake };
  const runtime = {
    config,
    database,
    broker,
    outbox,
    clock,
    newId,
    metrics,
    lifecycle,
    signer,
    deriveKey,
    ...waking,
    log: silentLog,
  };
  const { routes } = await ledgerBalance.create(runtime);
  const poster = openPoster(runtime);
  lifecycle.onStop('poster of the benchmark', poster.drain);
  return {
    poster: (operation, userId, amount) => poster.post(postingOf(operation, userId, amount)),
    route: postThroughRoute(routes, clock),
    published,
    database,
    clock,
    close: () => lifecycle.stop('the benchmark is over'),
  };
}

type PosterRuntime = {
  readonly database: Database;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly newId: NewId;
};

/** Creates the poster in the same way as the service. */
function openPoster({ database, outbox, clock, newId }: PosterRuntime): Poster {
  return createPoster({
    database,
    directory: createAccountDirectory(),
    outbox,
    eventOf,
    clock,
    newId,
    batchSizes: { observe: () => undefined },
    commitSeconds: { observe: () => undefined },
  });
}

function postThroughRoute(routes: readonly BoundRoute[], clock: Clock): PostOperation {
  const byName = new Map(routes.map((route) => [route.declaration.name, route]));
  return async (operation, userId, amount) => {
    const route = byName.get(operation);
    if (route === undefined) throw new Error(`the ledger has no route ${operation}`);
    return route.run({ params: { userId }, query: {}, body: { amount: formatMoney(amount) } }, contextAt(clock));
  };
}

function contextAt(clock: Clock): Context {
  const caller = { type: 'master', id: 'bench', marketplaceId: defaultMarketplaceId, scopes: ['write'] } as const;
  return { requestId: 'bench', caller, at: clock.now(), log: silentLog };
}
