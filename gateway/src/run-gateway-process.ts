import { readFileSync } from 'node:fs';
import { processEnvironment, readConfig, settingsOrExit } from '@holdfast/shared/config';
import { systemClock, type Clock, type Log } from '@holdfast/shared/context';
import { AppError } from '@holdfast/shared/errors';
import { startHttpServer } from '@holdfast/shared/http-server';
import { createLifecycle, runUntilSignal, type Lifecycle } from '@holdfast/shared/lifecycle';
import { createLog, createMetrics, type Metrics } from '@holdfast/shared/observability';
import { z } from 'zod';
import { settings, serviceUrlsOf, type Settings } from './config.js';
import { startGateway } from './gateway.js';

type Runtime = { readonly log: Log; readonly metrics: Metrics; readonly clock: Clock; readonly lifecycle: Lifecycle };

/** The main file of a gateway that runs alone. Says everything that is wrong with the settings at once, and exits with 1. */
export async function runGatewayProcess(): Promise<void> {
  const config = settingsOrExit(() => readConfig(settings, processEnvironment()));
  if (config === undefined) return;
  const log = createLog({ service: 'gateway', level: config.logLevel, pretty: process.stdout.isTTY });
  const lifecycle = createLifecycle({ log });
  runUntilSignal({ lifecycle, log });
  const runtime = { log, lifecycle, metrics: createMetrics({ service: 'gateway' }), clock: systemClock() };
  try {
    await startOperations(config, runtime);
    const gateway = await startGateway({ ...config, ...runtime, serviceUrls: serviceUrlsOf(config), version: packageVersion() });
    lifecycle.onStop('gateway', gateway.stop);
    log.info({ url: gateway.url }, 'ready');
  } catch (error) {
    log.error({ error }, 'could not start');
    await lifecycle.stop('could not start');
    process.exit(1);
  }
}

/** What operators ask has a port of its own: the public one shows nothing of it. */
async function startOperations({ operationsHost: host, operationsPort: port }: Settings, runtime: Runtime): Promise<void> {
  const { log, metrics, clock, lifecycle } = runtime;
  const nobody = (): never => {
    throw new AppError('UNAUTHORIZED');
  };
  const operations = await startHttpServer({
    host,
    port,
    log,
    metrics,
    clock,
    routes: [],
    readiness: {},
    authenticateCaller: nobody,
  });
  lifecycle.onStop('operations', operations.stop);
}

/** All packages carry the version of the whole product. */
function packageVersion(): string {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version;
}
