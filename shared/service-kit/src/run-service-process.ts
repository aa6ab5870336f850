import { z } from 'zod';
import { connectRabbitmq, topologyOf } from '@holdfast/messaging/broker';
import { systemClock } from '@holdfast/kernel/instants';
import { allMessages } from '@holdfast/contracts/messages';
import { serviceNames, services, type ServiceName } from '@holdfast/contracts/services';
import { idFactory } from '@holdfast/kernel/ids';
import { createLog, createMetrics, logLevels } from '@holdfast/observability';
import {
  amqpUrlSetting,
  choiceSetting,
  countSetting,
  migrateAtStartSetting,
  operationsSettings,
  databaseUrlSetting,
  portSetting,
  processEnvironment,
  readConfigs,
  reportFailedStart,
  secretSetting,
  settingsOrExit,
  shutdownSettings,
  textSetting,
  tracingSettings,
  type SettingsSchema,
} from '@holdfast/process/config';
import { createLifecycle, runUntilSignal, traceProcess } from '@holdfast/process/lifecycle';
import { newerVersionWaitMsSetting } from './newer-version-wait-setting.js';
import { openOperationsPort } from '@holdfast/process/operations-port';
import type { ServiceDefinition } from './service-definition.js';
import { startService } from './start-service.js';

/** The settings of every service process, in addition to the settings of the service. */
export function processSettings(name: ServiceName) {
  return z.object({
    host: textSetting({ description: 'The address the service listens on', default: '127.0.0.1' }),
    port: portSetting({ description: 'The port the service listens on', default: services[name].port }),
    ...operationsSettings(services[name].port).shape,
    ...shutdownSettings().shape,
    databaseUrl: databaseUrlSetting({
      description: "Postgres: an administrator's login, used to create the service's own role and schema, or that role's login",
    }),
    migrateAtStart: migrateAtStartSetting(),
    databasePoolMax: countSetting({
      description: 'Database connections for requests and messages; three more serve lists and jobs',
      default: 10,
      min: 2,
      max: 80,
    }),
    amqpUrl: amqpUrlSetting({ description: 'RabbitMQ' }),
    newerVersionWaitMs: newerVersionWaitMsSetting(),
    internalSecret: secretSetting({
      description: 'Shared by gateway and services: signs callers, and database passwords follow from it',
    }),
    logLevel: choiceSetting(logLevels, { description: 'How much is logged', default: 'info' }),
    ...tracingSettings,
  });
}

const databaseWaitMs = 30_000;

/** The `main` of a service that runs in its own process. Exits with 1 if it cannot start, after printing every faulty setting. */
export async function runServiceProcess<Settings extends SettingsSchema>(definition: ServiceDefinition<Settings>): Promise<void> {
  const env = processEnvironment();
  const read = settingsOrExit(() => readConfigs(processSettings(definition.name), definition.settings, env));
  if (read === undefined) return;
  const [settings] = read;
  const { name } = definition;
  const clock = systemClock();
  const log = createLog({ service: name, level: settings.logLevel, pretty: process.stdout.isTTY });
  const lifecycle = createLifecycle({ log, stopTimeoutMs: settings.shutdownTimeoutMs });
  runUntilSignal({ lifecycle, log, delayMs: settings.shutdownDelayMs });
  const metrics = createMetrics({ service: name });
  try {
    await traceProcess({ ...settings, service: name, log, lifecycle });
    const { metricsHost, metricsPort } = settings;
    const operations = await openOperationsPort({ host: metricsHost, port: metricsPort, metrics: [metrics], lifecycle, log });
    const topology = topologyOf(allMessages, serviceNames);
    const { amqpUrl: brokerUrl, newerVersionWaitMs } = settings;
    const broker = await connectRabbitmq({ url: brokerUrl, topology, newerVersionWaitMs, log });
    lifecycle.onStop('broker', broker.close);
    const { databaseUrl: adminUrl, databasePoolMax: poolMax, internalSecret, host, port, migrateAtStart } = settings;
    const shared = { broker, env, log, clock, newId: idFactory(clock.epochMs), lifecycle, metrics };
    const { url, readiness } = await startService(definition, {
      ...shared,
      adminUrl,
      poolMax,
      internalSecret,
      host,
      port,
      migrateAtStart,
      databaseWaitMs,
    });
    operations.markStarted(readiness);
    log.info({ metricsUrl: operations.url, url }, 'ready');
  } catch (error) {
    if (lifecycle.signal.aborted) return;
    reportFailedStart(error, log);
    await lifecycle.stop('could not start');
    process.exit(1);
  }
}
