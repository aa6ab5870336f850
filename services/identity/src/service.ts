import { randomUUID } from 'node:crypto';
import { getNotedUser, getUserNotedByAdapter, getUserNotedByOrders } from '@holdfast/shared/contracts/http';
import { existingServices } from '@holdfast/shared/contracts/services';
import { defaultMarketplaceId } from '@holdfast/shared/ids';
import { createServiceClient, type ServiceClient } from '@holdfast/shared/service-client';
import { defineService, type Job, type ServiceRuntime } from '@holdfast/shared/service-host';
import { settings, urlSettings, type Settings } from './config.js';
import { routesOf } from './http/routes.js';
import { consumersOf } from './messages/consumers.js';
import { keySecrets } from './providers/key-secrets.js';
import { ledgerBalances } from './providers/ledger.js';
import { notedBy, type UserListener } from './providers/noted-by.js';
import { tokens } from './providers/tokens.js';
import { apiKeyStore } from './store/api-key-store.js';
import { keyUses, type KeyUses } from './store/key-uses.js';
import { marketplaceStore } from './store/marketplace-store.js';
import { performer, pruneOperations } from './store/operations.js';
import { entities } from './store/schema.js';
import { userStore } from './store/user-store.js';
import { workIn } from './store/work.js';
import type { Deps } from './use-cases/ports.js';
import { tellRefusedCredentials } from './use-cases/tell-refused-credentials.js';

/** The service that owns marketplaces, API keys, tokens and users. */
export const identity = defineService({
  name: 'identity',
  migrations: new URL('../migrations', import.meta.url),
  settings,
  entities,
  create: (runtime) => {
    const uses = keyUses(runtime.database);
    runtime.lifecycle.onStop('key uses', uses.flush);
    const deps = depsOf(runtime, uses);
    return {
      routes: routesOf(deps),
      consumers: consumersOf(deps),
      jobs: [notingUses(runtime, uses), pruning(runtime), tellingRefusals(runtime, deps)],
    };
  },
});

function depsOf(runtime: ServiceRuntime<Settings>, uses: KeyUses): Deps {
  const { database, outbox, broker, newId, deriveKey } = runtime;
  const ledger = clientOf(runtime, 'ledger-balance');
  return {
    perform: performer({ database, outbox, broker, key: deriveKey('identity operation results') }),
    inTransaction: (ctx, work) => database.inTransaction((tx) => work(workIn(tx, { outbox, broker }, ctx))),
    marketplaces: marketplaceStore(database),
    apiKeys: { ...apiKeyStore(database), noteUse: uses.note },
    users: { ...userStore(database), whenNoted: notedBy(listenersOf(runtime, ledger)) },
    balances: ledgerBalances(ledger),
    secrets: keySecrets,
    tokens: tokens(deriveKey('identity access tokens')),
    newId,
  };
}

/** Those that a change of a user waits for; a service that this installation does not have is not asked. */
function listenersOf(runtime: ServiceRuntime<Settings>, ledger: ServiceClient): readonly UserListener[] {
  const others = [
    { name: 'orders', question: getUserNotedByOrders },
    { name: 'escrow-adapter', question: getUserNotedByAdapter },
  ] as const;
  const existing = others.filter(({ name }) => existingServices.includes(name));
  return [
    { client: ledger, question: getNotedUser },
    ...existing.map(({ name, question }) => ({ client: clientOf(runtime, name), question })),
  ];
}

function clientOf({ config, signer, lifecycle }: ServiceRuntime<Settings>, to: keyof typeof urlSettings): ServiceClient {
  const client = createServiceClient({ from: 'identity', to, baseUrl: config[urlSettings[to]], signer });
  lifecycle.onStop(`${to} client`, client.close);
  return client;
}

function notingUses({ config }: ServiceRuntime<Settings>, uses: KeyUses): Job {
  return { name: 'note-key-uses', everyMs: config.KEY_USES_NOTED_EVERY_MS, run: uses.flush };
}

function tellingRefusals({ clock, log, config }: ServiceRuntime<Settings>, deps: Deps): Job {
  const caller = { type: 'system', id: 'identity', marketplaceId: defaultMarketplaceId, scopes: [] } as const;
  const run = (): Promise<void> => tellRefusedCredentials(deps, { caller, requestId: randomUUID(), at: clock.now(), log });
  return { name: 'tell-refused-credentials', everyMs: config.REFUSALS_TOLD_EVERY_MS, run };
}

const pruneEveryMs = 3_600_000;

function pruning({ database, clock }: ServiceRuntime<Settings>): Job {
  return { name: 'prune-operations', everyMs: pruneEveryMs, run: (signal) => pruneOperations(database, clock.now(), signal) };
}
