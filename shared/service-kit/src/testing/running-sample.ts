import { randomUUID } from 'node:crypto';
import { brokerMigrations, openInProcessBroker, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { callerHeader, callerSigner } from '@holdfast/http/caller';
import { systemClock } from '@holdfast/kernel/instants';
import { allMessages, userCreated, type Envelope } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, idFactory } from '@holdfast/kernel/ids';
import { collectingLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceTestClient } from '@holdfast/testing/services';
import { createMetrics } from '@holdfast/observability';
import { createLifecycle } from '@holdfast/process/lifecycle';
import { openOperationsPort } from '@holdfast/process/operations-port';
import { startService, type Platform } from '../start-service.js';
import { sampleService, type Extras } from './sample-service.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);

export function signedCaller(internalSecret: string): Readonly<Record<string, string>> {
  const caller = { type: 'master', id: 'master', marketplaceId: defaultMarketplaceId, scopes: ['read'] } as const;
  return { [callerHeader]: callerSigner({ secret: internalSecret, clock }).sign({ caller }, 'ledger-balance') };
}

export function aUserCreated(): Envelope {
  const userId = newId('usr');
  return {
    id: newId('evt'),
    type: userCreated.type,
    version: userCreated.version,
    occurredAt: clock.now(),
    aggregateType: 'User',
    aggregateId: userId,
    aggregateVersion: 1,
    marketplaceId: defaultMarketplaceId,
    correlationId: randomUUID(),
    payload: { userId, externalUserId: 'customer-7', type: 'BOTH', status: 'ACTIVE' },
  };
}

export type RunningSample = Awaited<ReturnType<typeof startSample>>;

/** Starts the sample service on the database of the test, with the in-process broker. */
export async function startSample(database: TestDatabase, options: Partial<Platform> & { readonly extras?: Extras } = {}) {
  const log = collectingLog();
  const lifecycle = createLifecycle({ log });
  const metrics = options.metrics ?? createMetrics({ service: 'ledger-balance', processMetrics: false });
  const operations = await openOperationsPort({ host: '127.0.0.1', port: 0, metrics: [metrics], lifecycle, log });
  const broker = await openBroker(database);
  lifecycle.onStop('broker', broker.close);
  const { adminUrl, internalSecret } = database;
  const platform = {
    adminUrl,
    internalSecret,
    broker,
    env: {},
    log,
    clock,
    newId,
    lifecycle,
    host: '127.0.0.1',
    port: 0,
    metrics,
    ...options,
  };
  const service = await startService(sampleService(options.extras), platform).catch(async (error: unknown) => {
    await lifecycle.stop('could not start');
    throw error;
  });
  operations.markStarted(service.readiness);
  const getFrom = async (url: string) => {
    const response = await fetch(url, { headers: signedCaller(internalSecret) });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: (await response.json()) as { readonly data?: unknown },
    };
  };
  const get = (address: string) => getFrom(`${service.url}${address}`);
  const getOperations = (address: string) => getFrom(`${operations.url}${address}`);
  const client = serviceTestClient({ service: 'ledger-balance', url: service.url, secret: internalSecret, clock });
  return { ...service, log, broker, lifecycle, get, getOperations, client, stop: () => lifecycle.stop('the test is over') };
}

async function openBroker(database: TestDatabase): Promise<Broker> {
  const { pool } = await database.open({ service: 'broker', migrations: [brokerMigrations] });
  return openInProcessBroker({ pool, topology: topologyOf(allMessages, ['ledger-balance']), log: collectingLog() });
}
