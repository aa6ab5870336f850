import { processEnvironment, readConfig, settingsOrExit } from '@holdfast/process/config';
import { createLifecycle, runUntilSignal } from '@holdfast/process/lifecycle';
import { openOperationsPort } from '@holdfast/process/operations-port';
import { createLog, createMetrics } from '@holdfast/observability';
import { optionsOf, refuseProduction, settings } from './config.js';
import { startSandbox } from './start-sandbox.js';

/** Runs the sandbox as its own process. Invalid settings are reported together, with exit code 1. */
export async function runSandboxProcess(): Promise<void> {
  const env = processEnvironment();
  const config = settingsOrExit(() => {
    refuseProduction(env);
    return readConfig(settings, env);
  });
  if (config === undefined) return;
  const log = createLog({ service: 'sandbox', level: config.LOG_LEVEL, pretty: process.stdout.isTTY });
  const lifecycle = createLifecycle({ log, stopTimeoutMs: config.shutdownTimeoutMs });
  runUntilSignal({ lifecycle, log, delayMs: config.shutdownDelayMs });
  try {
    const metrics = [createMetrics({ service: 'sandbox' })];
    const operations = await openOperationsPort({ host: config.metricsHost, port: config.metricsPort, metrics, lifecycle, log });
    const sandbox = await startSandbox({ ...optionsOf(config), log });
    lifecycle.onStop('sandbox', sandbox.close);
    operations.markStarted({});
    log.info({ metricsUrl: operations.url, url: sandbox.url }, 'ready');
  } catch (error) {
    if (lifecycle.signal.aborted) return; // a signal arrived during the start, and the stop is in progress
    log.error({ error }, 'could not start');
    await lifecycle.stop('could not start');
    process.exit(1);
  }
}
