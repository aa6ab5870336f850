import { admissionSettings } from '@holdfast/gateway';
import { processEnvironment, settingsOrExit } from '@holdfast/shared/config';
import { systemClock } from '@holdfast/shared/context';
import { apiPrefix } from '@holdfast/shared/http-server';
import { createLifecycle, runUntilSignal } from '@holdfast/shared/lifecycle';
import { createLog, type LogLevel } from '@holdfast/shared/observability';
import { bannerOf } from './banner.js';
import { choosePort } from './choose-port.js';
import { readSettings } from './config.js';
import { keepSecrets, openDataFolder, secretVariableNames, type WayToRun } from './data-folder/index.js';
import { explain } from './explain.js';
import { areGiven, sandboxVariableNames } from './outside-systems.js';
import { services } from './parts.js';
import { productVersion } from './product.js';
import { createProgress, printLine } from './progress.js';
import type { Stage, Started } from './stage.js';

export type Program = {
  readonly way: Exclude<WayToRun, 'command'>;
  /** How long everything may take to stop. */
  readonly stopTimeoutMs: number;
  readonly start: (stage: Stage) => Promise<Started>;
};

const usualPort = 8_080;

/** The whole life of a program that runs everything: prepare, start, tell how to use it, and stop when asked to. */
export async function runProgram(program: Program): Promise<void> {
  const env = processEnvironment();
  const provided = [...secretVariableNames, ...(areGiven(env) ? [] : sandboxVariableNames)];
  const parts = [...services.map(({ settings }) => settings), admissionSettings];
  const config = settingsOrExit(() => readSettings(env, parts, provided));
  if (config === undefined) return;
  const { logFor, openUp } = readableLogs(config.logLevel);
  const log = logFor(program.way);
  const lifecycle = createLifecycle({ log, stopTimeoutMs: program.stopTimeoutMs });
  runUntilSignal({ lifecycle, log });
  const onFatal: Stage['onFatal'] = (fact) => {
    process.stderr.write(`${fact}\n`);
    const exit = (): never => process.exit(1);
    lifecycle.stop('cannot go on').then(exit, exit);
  };
  try {
    await startAndTell(program, { config, env, lifecycle, logFor, onFatal });
    openUp();
  } catch (error) {
    if (lifecycle.signal.aborted) return; // it was asked to stop while it started, and does so already
    onFatal(explain(error));
  }
}

async function startAndTell(
  { way, start }: Program,
  given: Pick<Stage, 'config' | 'env' | 'lifecycle' | 'logFor' | 'onFatal'>,
): Promise<void> {
  const { config, lifecycle } = given;
  const clock = systemClock();
  const onProgress = createProgress(printLine);
  printLine(`Holdfast ${productVersion}`);
  const folder = await openDataFolder({ dataDir: config.holdfastDataDir, way, version: productVersion, clock });
  lifecycle.onStop('data folder', () => Promise.resolve().then(folder.claim.release));
  sayFarewellAtExit(folder.path);
  const secrets = await keepSecrets(folder.path, config);
  const port = await choosePort({ host: config.host, port: config.port ?? usualPort, isGiven: config.port !== undefined });
  if (config.port === undefined && port !== usualPort) onProgress(`port ${usualPort} is taken, so the API takes ${port}`);

  const started = await start({ ...given, folder, secrets, port, clock, onProgress });
  const baseUrl = `${started.url}${apiPrefix}`;
  folder.claim.tell({
    baseUrl,
    databaseUrl: started.databaseUrl,
    ordersUrl: started.ordersUrl,
    ...(started.amqpUrl === undefined ? {} : { amqpUrl: started.amqpUrl }),
  });
  printLine(bannerOf({ ...started, origin: started.url, baseUrl, folder: folder.path, config, secrets }));
}

type ReadableLogs = { readonly logFor: Stage['logFor']; readonly openUp: () => void };

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
    openUp: () => {
      current = level;
      for (const log of logs) log.level = level;
    },
  };
}

/** Said last, when nothing is logged any more. */
function sayFarewellAtExit(dataDir: string): void {
  process.once('exit', (exitCode) => {
    if (exitCode === 0) printLine(`Holdfast has stopped. What it keeps is in ${dataDir}.`);
  });
}
