import { admissionSettings } from '@holdfast/gateway';
import { processEnvironment, settingsOrExit } from '@holdfast/service-host/config';
import { systemClock } from '@holdfast/kernel/context';
import { apiPrefix } from '@holdfast/http/server';
import { createLifecycle, runUntilSignal } from '@holdfast/service-host/lifecycle';
import { createLog, type LogLevel } from '@holdfast/observability';
import { bannerOf } from './banner.js';
import { choosePort } from './choose-port.js';
import { readSettings } from './config.js';
import { loadSecrets, openDataFolder, secretVariableNames, type RunMode } from './data-folder/index.js';
import { explain } from './explain.js';
import { areOutsideSystemsGiven, sandboxVariableNames } from './outside-systems.js';
import { services } from './parts.js';
import { productVersion } from './product.js';
import { createProgress, printLine } from './progress.js';
import type { StartupContext, Started } from './startup-context.js';

export type Program = {
  readonly mode: Exclude<RunMode, 'command'>;
  /** How long everything may take to stop. */
  readonly stopTimeoutMs: number;
  readonly start: (stage: StartupContext) => Promise<Started>;
};

const defaultPort = 8_080;

/** The whole life of a program that runs everything: prepare, start, tell how to use it, and stop when asked to. */
export async function runProgram(program: Program): Promise<void> {
  const env = processEnvironment();
  const provided = [...secretVariableNames, ...(areOutsideSystemsGiven(env) ? [] : sandboxVariableNames)];
  const parts = [...services.map(({ settings }) => settings), admissionSettings];
  const config = settingsOrExit(() => readSettings(env, parts, provided));
  if (config === undefined) return;
  const { logFor, enableAllLevels } = readableLogs(config.logLevel);
  const log = logFor(program.mode);
  const lifecycle = createLifecycle({ log, stopTimeoutMs: program.stopTimeoutMs });
  runUntilSignal({ lifecycle, log });
  const onFatal: StartupContext['onFatal'] = (fact) => {
    process.stderr.write(`${fact}\n`);
    const exit = (): never => process.exit(1);
    lifecycle.stop('cannot go on').then(exit, exit);
  };
  try {
    await startAndPrintBanner(program, { config, env, lifecycle, logFor, onFatal });
    enableAllLevels();
  } catch (error) {
    if (lifecycle.signal.aborted) return; // it was asked to stop while it started, and does so already
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
  printLine(`Holdfast ${productVersion}`);
  const folder = await openDataFolder({ dataDir: config.holdfastDataDir, mode, version: productVersion, clock });
  lifecycle.onStop('data folder', () => Promise.resolve().then(folder.lock.release));
  printStoppedAtExit(folder.path);
  const secrets = await loadSecrets(folder.path, config);
  const wanted = { host: config.host, port: config.port ?? defaultPort, isGiven: config.port !== undefined };
  const port = await choosePort({ ...wanted, setting: 'PORT' });
  if (config.port === undefined && port !== defaultPort) onProgress(`port ${defaultPort} is taken, so the API takes ${port}`);

  const started = await start({ ...given, folder, secrets, port, clock, onProgress });
  const baseUrl = `${started.url}${apiPrefix}`;
  folder.lock.update({
    baseUrl,
    databaseUrl: started.databaseUrl,
    ordersUrl: started.ordersUrl,
    ...(started.amqpUrl === undefined ? {} : { amqpUrl: started.amqpUrl }),
  });
  printLine(bannerOf({ ...started, origin: started.url, baseUrl, folder: folder.path, config, secrets }));
}

type ReadableLogs = { readonly logFor: StartupContext['logFor']; readonly enableAllLevels: () => void };

/** On a terminal only trouble is logged until everything runs: until then the progress says what a person wants to know. */
function readableLogs(level: LogLevel): ReadableLogs {
  const logs: ReturnType<typeof createLog>[] = [];
  let current: LogLevel = process.stdout.isTTY && (level === 'debug' || level === 'info') ? 'warn' : level;
  return {
    logFor: (service) => {
      const log = createLog({ service, level: current, pretty: process.stdout.isTTY });
      logs.push(log);
      return log;
    },
    enableAllLevels: () => {
      current = level;
      for (const log of logs) log.level = level;
    },
  };
}

/** Said last, when nothing is logged any more. */
function printStoppedAtExit(dataDir: string): void {
  process.once('exit', (exitCode) => {
    if (exitCode === 0) printLine(`Holdfast has stopped. What it keeps is in ${dataDir}.`);
  });
}
