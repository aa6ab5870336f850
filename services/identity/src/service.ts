import { createServiceClient } from '@holdfast/shared/service-client';
import { defineService, type Job, type ServiceRuntime } from '@holdfast/shared/service-host';
import { settings, type Settings } from './config.js';
import { routesOf } from './http/routes.js';
import { keySecrets } from './providers/key-secrets.js';
import { ledgerBalances, notedBy } from './providers/ledger.js';
import { tokens } from './providers/tokens.js';
import { apiKeyStore } from './store/api-key-store.js';
import { keyUses, type KeyUses } from './store/key-uses.js';
import { marketplaceStore } from './store/marketplace-store.js';
import { performer, pruneOperations } from './store/operations.js';
import { apiKeySchema, marketplaceSchema, userSchema } from './store/schema.js';
import { userStore } from './store/user-store.js';
import type { Deps } from './use-cases/ports.js';

/** The service that owns marketplaces, API keys, tokens and users. */
export const identity = defineService({
  name: 'identity',
  migrations: new URL('../migrations', import.meta.url),
  settings,
  entities: [marketplaceSchema, apiKeySchema, userSchema],
  create: (runtime) => {
    const uses = keyUses(runtime.database);
    runtime.lifecycle.onStop('key uses', uses.flush);
    return { routes: routesOf(depsOf(runtime, uses)), consumers: [], jobs: [notingUses(runtime, uses), pruning(runtime)] };
  },
});

function depsOf(runtime: ServiceRuntime<Settings>, uses: KeyUses): Deps {
  const { config, database, outbox, broker, newId, lifecycle, signer, deriveKey } = runtime;
  const ledger = createServiceClient({
    from: 'identity',
    to: 'ledger-balance',
    baseUrl: config.LEDGER_BALANCE_URL,
    signer,
  });
  lifecycle.onStop('ledger client', ledger.close);
  return {
    perform: performer({ database, outbox, broker, key: deriveKey('identity operation results') }),
    marketplaces: marketplaceStore(database),
    apiKeys: { ...apiKeyStore(database), noteUse: uses.note },
    users: { ...userStore(database), whenNoted: notedBy([ledger]) },
    balances: ledgerBalances(ledger),
    secrets: keySecrets,
    tokens: tokens(deriveKey('identity access tokens')),
    newId,
  };
}

function notingUses({ config }: ServiceRuntime<Settings>, uses: KeyUses): Job {
  return { name: 'note-key-uses', everyMs: config.KEY_USES_NOTED_EVERY_MS, run: uses.flush };
}

const pruneEveryMs = 3_600_000;

function pruning({ database, clock }: ServiceRuntime<Settings>): Job {
  return { name: 'prune-operations', everyMs: pruneEveryMs, run: () => pruneOperations(database, clock.now()) };
}
