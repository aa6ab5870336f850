import { fileURLToPath } from 'node:url';
import { ledgerBalance } from '@holdfast/ledger-balance';
import { readConfig } from '@holdfast/shared/config';
import type { Clock, Context } from '@holdfast/shared/context';
import { defaultMarketplaceId, type UserId } from '@holdfast/shared/ids';
import { createMetrics } from '@holdfast/shared/observability';
import { messagingMigrations } from '@holdfast/shared/outbox';
import type { Database } from '@holdfast/shared/postgres';
import { silentLog } from '@holdfast/shared/testing/log';
import { openBench } from './bench.js';
import { openTelling } from './telling.js';

/** The balance operations by the names of their routes. */
export type Operation = 'creditBalance' | 'debitBalance' | 'reserveFunds' | 'releaseFunds';

/** The ledger as its service composes it, called past the HTTP server: use case, poster, journal, outbox. */
export type OpenLedger = {
  readonly call: (operation: Operation, userId: UserId, amount: string) => Promise<unknown>;
  readonly told: () => Promise<void>;
  readonly database: Database;
  readonly clock: Clock;
  readonly close: () => Promise<void>;
};

const keyBytes = 32;

export async function openLedger(adminUrl: string, { publishes }: { readonly publishes: boolean }): Promise<OpenLedger> {
  const bench = openBench(adminUrl);
  const { clock, newId, lifecycle, signer } = bench;
  const database = await bench.open(ledgerBalance.name, [messagingMigrations, fileURLToPath(ledgerBalance.migrations)]);
  const { broker, outbox, told } = await openTelling(bench, database, publishes);
  const config = readConfig(ledgerBalance.settings, {});
  const metrics = createMetrics({ service: ledgerBalance.name, processMetrics: false });
  const deriveKey = (): Buffer => Buffer.alloc(keyBytes); // nothing is sealed here
  const runtime = { config, database, broker, outbox, clock, newId, metrics, lifecycle, signer, deriveKey, log: silentLog };
  const { routes } = await ledgerBalance.create(runtime);
  const byName = new Map(routes.map((route) => [route.declaration.name, route]));
  return {
    call: async (operation, userId, amount) => {
      const route = byName.get(operation);
      if (route === undefined) throw new Error(`the ledger has no route ${operation}`);
      return route.run({ params: { userId }, query: {}, body: { amount } }, contextAt(clock));
    },
    told,
    database,
    clock,
    close: () => lifecycle.stop('the benchmark is over'),
  };
}

function contextAt(clock: Clock): Context {
  const caller = { type: 'master', id: 'bench', marketplaceId: defaultMarketplaceId, scopes: ['write'] } as const;
  return { requestId: 'bench', caller, at: clock.now(), log: silentLog };
}
