import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { connectRabbitmq, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { processEnvironment, readConfig, settingsOrExit } from '@holdfast/service-host/config';
import { systemClock, type Clock, type Log } from '@holdfast/kernel/context';
import { allMessages } from '@holdfast/contracts/messages';
import { serviceNames } from '@holdfast/contracts/services';
import { AppError } from '@holdfast/kernel/errors';
import { startHttpServer } from '@holdfast/http/server';
import { createLifecycle, runUntilSignal, type Lifecycle } from '@holdfast/service-host/lifecycle';
import { createLog, createMetrics, type Metrics } from '@holdfast/observability';
import { brokerEventCounter, traceProcess } from '@holdfast/service-host';
import { demoUsersOf, settings, serviceUrlsOf, type Settings } from './config.js';
import { startGateway } from './gateway.js';

type Runtime = { readonly log: Log; readonly metrics: Metrics; readonly clock: Clock; readonly lifecycle: Lifecycle };

const databaseWaitMs = 30_000;

/** Runs the gateway as its own process. Faulty settings are reported in one list, and the process exits with 1. */
export async function runGatewayProcess(): Promise<void> {
  const config = settingsOrExit(() => readConfig(settings, processEnvironment()));
  if (config === undefined) return;
  const log = createLog({ service: 'gateway', level: config.logLevel, pretty: process.stdout.isTTY });
  const lifecycle = createLifecycle({ log });
  runUntilSignal({ lifecycle, log });
  const runtime = { log, lifecycle, metrics: createMetrics({ service: 'gateway' }), clock: systemClock() };
  try {
    await traceProcess({ ...config, service: 'gateway', version: packageVersion(), log, lifecycle });
    let isReady = false;
    await startOperations(config, runtime, () => isReady);
    const broker = await openBroker(config, runtime);
    const database = { adminUrl: config.databaseUrl, poolMax: config.databasePoolMax, databaseWaitMs };
    const environment = { serviceUrls: serviceUrlsOf(config), version: packageVersion(), demoUsers: demoUsersOf(config) };
    const gateway = await startGateway({ ...config, ...runtime, ...environment, ...database, broker });
    lifecycle.onStop('gateway', gateway.stop);
    isReady = true;
    log.info({ url: gateway.url }, 'ready');
  } catch (error) {
    log.error({ error }, 'could not start');
    await lifecycle.stop('could not start');
    process.exit(1);
  }
}

function openBroker({ amqpUrl: url }: Settings, { log, metrics, lifecycle }: Runtime): Promise<Broker> {
  const topology = topologyOf(allMessages, serviceNames);
  return connectRabbitmq({ url, topology, log, onEvent: brokerEventCounter(metrics) }).then((broker) => {
    lifecycle.onStop('broker', broker.close);
    return broker;
  });
}

/** Health and metrics have a port of their own, so that the public port does not expose them. */
async function startOperations(config: Settings, runtime: Runtime, isReady: () => boolean): Promise<void> {
  const { operationsHost: host, operationsPort: port } = config;
  const { log, metrics, clock, lifecycle } = runtime;
  const refuseCaller = (): never => {
    throw new AppError('UNAUTHORIZED');
  };
  const operations = await startHttpServer({
    host,
    port,
    log,
    metrics,
    clock,
    routes: [],
    readiness: { start: () => (isReady() ? Promise.resolve() : Promise.reject(new Error('the gateway is not ready yet'))) },
    authenticateCaller: refuseCaller,
  });
  lifecycle.onStop('operations', operations.stop);
}

/** The version of the platform: all packages have the same one. */
function packageVersion(): string {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version;
}
