import { admissionSettings } from '@holdfast/gateway';
import { processEnvironment, settingsOrExit } from '@holdfast/process/config';
import { systemClock } from '@holdfast/kernel/context';
import { apiPrefix } from '@holdfast/contracts/http';
import { createLifecycle, printLast, runUntilSignal } from '@holdfast/process/lifecycle';
import { createLog, type LogLevel } from '@holdfast/observability';
import { readRestoredMark } from './backup/index.js';
import { bannerOf } from './banner.js';
import { choosePort } from './choose-port.js';
import { readSettings, type Settings } from './config.js';
import { loadSecrets, openDataFolder, secretVariableNames, type RunMode } from './data-folder/index.js';
import { explain } from './explain.js';
import { sandboxVariableNames, usesSandbox } from './outside-systems.js';
import { publicUrlVariable } from './public-url.js';
import { services } from './services.js';
import { productVersion } from './product.js';
import { createProgress, printLine } from './progress.js';
import type { StartupContext, Started } from './startup-context.js';

export type Program = {
  readonly mode: Exclude<RunMode, 'command'>;
  /** How long it still serves after a signal, and how long everything may then take to stop. */
  readonly stopTimes: (config: Settings) => { readonly delayMs: number; readonly stopTimeoutMs: number };
  readonly start: (context: StartupContext) => Promise<Started>;
};

const defaultPort = 8_080;

/** Runs a program from start to stop: settings, data folder, start, banner, and a graceful stop on a signal. */
export async function runProgram(program: Program): Promise<void> {
  const env = processEnvironment();
  const provided = [publicUrlVariable, ...secretVariableNames, ...(usesSandbox(env) ? sandboxVariableNames : [])];
  const schemas = [...services.map(({ settings }) => settings), admissionSettings];
  const config = settingsOrExit(() => readSettings(env, schemas, provided));
  if (config === undefined) return;
  const { log, logFor, enableAllLevels } = readableLogs(program.mode, config.logLevel);
  const { delayMs, stopTimeoutMs } = program.stopTimes(config);
  const lifecycle = createLifecycle({ log, stopTimeoutMs });
  runUntilSignal({ lifecycle, log, delayMs });
  const onFatal: StartupContext['onFatal'] = (fact) => {
    printLast(fact);
    const exit = (): never => process.exit(1);
    lifecycle.stop(fact).then(exit, exit);
  };
  try {
    await startAndPrintBanner(program, { config, env, lifecycle, logFor, onFatal });
    enableAllLevels();
  } catch (error) {
    if (lifecycle.signal.aborted) return; // a signal arrived during the start, and the stop is in progress
    onFatal(explain(error));
  }
}

async function startAndPrintBanner(
  { mode, start }: Program,
  given: Pick<StartupContext, 'config' | 'env' | 'lifecycle' | 'logFor' | 'onFatal'>,
): Promise<void> {
  const { config, lifecycle } = given;
  const clock = systemClock();
  const onProgress = createProgress(printLine);
  const folder = await openDataFolder({ dataDir: config.holdfastDataDir, mode, version: productVersion, clock });
  lifecycle.onStop('data folder', () => Promise.resolve().then(folder.lock.release));
  printStoppedAtExit(folder.path);
  const secrets = await loadSecrets(folder.path, config);
  const wanted = { host: config.host, port: config.port ?? defaultPort, isGiven: config.port !== undefined };
  const port = await choosePort({ ...wanted, setting: 'PORT' });
  if (config.port === undefined && port !== defaultPort) onProgress(`port ${defaultPort} is taken; the API uses ${port}`);

  const started = await start({ ...given, folder, secrets, port, clock, onProgress });
  const baseUrl = `${started.url}${apiPrefix}`;
  folder.lock.update({
    baseUrl,
    databaseUrl: started.databaseUrl,
    serviceUrls: started.serviceUrls,
    metricsUrls: Object.fromEntries(started.metrics.map(({ process: name, url }) => [name, url])),
    ...(started.amqpUrl === undefined ? {} : { amqpUrl: started.amqpUrl }),
    ...(started.sandboxUrl === undefined ? {} : { sandboxUrl: started.sandboxUrl }),
  });
  const restored = readRestoredMark(folder.path);
  printLine(bannerOf({ ...started, origin: started.url, baseUrl, folder: folder.path, config, secrets, restored }));
}

type ReadableLogs = {
  /** The program's own log. It is synchronous, so that text printed on exit comes after its last line. */
  readonly log: Logger;
  readonly logFor: StartupContext['logFor'];
  readonly enableAllLevels: () => void;
};

type Logger = ReturnType<typeof createLog>;

/** On a terminal only warnings and errors are logged until everything runs; the progress lines inform until then. */
function readableLogs(mode: RunMode, level: LogLevel): ReadableLogs {
  const logs: Logger[] = [];
  let current: LogLevel = process.stdout.isTTY && (level === 'debug' || level === 'info') ? 'warn' : level;
  const create = (service: string, sync: boolean): Logger => {
    const log = createLog({ service, level: current, pretty: process.stdout.isTTY, sync });
    logs.push(log);
    return log;
  };
  return {
    log: create(mode, true),
    logFor: (service) => create(service, false),
    enableAllLevels: () => {
      current = level;
      for (const log of logs) log.level = level;
    },
  };
}

/** Printed on exit, after the last log line. */
function printStoppedAtExit(dataDir: string): void {
  process.once('exit', (exitCode) => {
    if (exitCode === 0) printLine(`Holdfast has stopped. Its data are in ${dataDir}.`);
  });
}
