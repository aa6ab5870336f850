import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { connectRabbitmq, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { processEnvironment, readConfig, reportFailedStart, settingsOrExit } from '@holdfast/process/config';
import { systemClock, type Clock, type Log } from '@holdfast/kernel/context';
import { allMessages } from '@holdfast/contracts/messages';
import { serviceNames } from '@holdfast/contracts/services';
import { createLifecycle, runUntilSignal, traceProcess, type Lifecycle } from '@holdfast/process/lifecycle';
import { createLog, createMetrics, type Metrics } from '@holdfast/observability';
import { openOperationsPort } from '@holdfast/process/operations-port';
import { demoUsersOf, settings, serviceUrlsOf, type Settings } from './config.js';
import { startGateway } from './gateway.js';

type Runtime = { readonly log: Log; readonly metrics: Metrics; readonly clock: Clock; readonly lifecycle: Lifecycle };

const databaseWaitMs = 30_000;

/** Runs the gateway as its own process. Faulty settings are reported in one list, and the process exits with 1. */
export async function runGatewayProcess(): Promise<void> {
  const config = settingsOrExit(() => readConfig(settings, processEnvironment()));
  if (config === undefined) return;
  const log = createLog({ service: 'gateway', level: config.logLevel, pretty: process.stdout.isTTY });
  const lifecycle = createLifecycle({ log, stopTimeoutMs: config.shutdownTimeoutMs });
  runUntilSignal({ lifecycle, log, delayMs: config.shutdownDelayMs });
  const runtime = { log, lifecycle, metrics: createMetrics({ service: 'gateway' }), clock: systemClock() };
  try {
    await traceProcess({ ...config, service: 'gateway', version: packageVersion(), log, lifecycle });
    const { metricsHost, metricsPort } = config;
    const operations = await openOperationsPort({
      host: metricsHost,
      port: metricsPort,
      metrics: [runtime.metrics],
      lifecycle,
      log,
    });
    const broker = await openBroker(config, runtime);
    const database = { adminUrl: config.databaseUrl, poolMax: config.databasePoolMax, databaseWaitMs };
    const environment = { serviceUrls: serviceUrlsOf(config), version: packageVersion(), demoUsers: demoUsersOf(config) };
    const { stopAnnounced, drainTimeoutMs } = lifecycle;
    const stopping = { stopAnnounced, drainTimeoutMs };
    const gateway = await startGateway({ ...config, ...runtime, ...environment, ...database, ...stopping, broker });
    lifecycle.onStop('gateway', gateway.stop);
    // Without its database or broker a gateway still serves reads and honest errors, so neither takes it out of service.
    operations.markStarted({});
    log.info({ metricsUrl: operations.url, url: gateway.url }, 'ready');
  } catch (error) {
    if (lifecycle.signal.aborted) return; // a signal arrived during the start, and the stop is in progress
    reportFailedStart(error, log);
    await lifecycle.stop('could not start');
    process.exit(1);
  }
}

function openBroker({ amqpUrl: url }: Settings, { log, lifecycle }: Runtime): Promise<Broker> {
  const topology = topologyOf(allMessages, serviceNames);
  return connectRabbitmq({ url, topology, log }).then((broker) => {
    lifecycle.onStop('broker', broker.close);
    return broker;
  });
}

/** The version of the platform: all packages have the same one. */
function packageVersion(): string {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version;
}
