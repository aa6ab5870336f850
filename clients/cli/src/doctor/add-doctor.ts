import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { CannotStart, productVersion, readCommandSettings } from '@holdfast/all-in-one/commands';
import { serviceNames } from '@holdfast/contracts/services';
import { example, globalsOf, outputOf, type Context } from '../context.js';
import { exitCodes } from '../failure.js';
import { findPlatform, findRoot, runningHere } from '../find-platform.js';
import { getJson } from '../get-json.js';
import { loadTools } from '../operator/load-tools.js';
import type { Output } from '../output.js';
import { failed, ok, warning, type Check } from './check.js';
import { checkDisk, checkNode } from './machine.js';
import { checkKey, checkPlatform } from './platform.js';

export function addDoctor(program: Command, context: Context): void {
  const doctor = program
    .command('doctor')
    .description('check versions, ports, database, broker, key, clock, disk, stalled sagas and providers, and say what to do');
  example(doctor, 'holdfast doctor').action(async (_options, command: Command) => {
    const output = outputOf(command);
    const checks = await checkAll(context, command);
    if (output.isJson) output.list(checks);
    else print(output, checks);
    if (checks.some(({ status }) => status === 'failed')) context.setExitCode(exitCodes.failed);
  });
}

async function checkAll(context: Context, command: Command): Promise<readonly Check[]> {
  const { env, clock } = context;
  const { holdfastDataDir: dataDir } = readCommandSettings(env);
  const machine = [checkNode(process.version), await checkDisk(dataDir), ofFolder(dataDir, runningHere(env)?.pid)];
  const root = orReason(() => findRoot(globalsOf(command), env));
  if (typeof root !== 'string') return [...machine, failed('api', root.reason, 'Everything else is checked once it runs.')];
  const platform = await checkPlatform({ root, version: productVersion, clock });
  if (platform.length === 1) return [...machine, ...platform];
  const found = orReason(() => findPlatform(globalsOf(command), env));
  const key = 'reason' in found ? failed('key', found.reason, 'Give --key.') : await checkKey(root, found.key);
  const isHere = runningHere(env)?.baseUrl?.startsWith(root) === true;
  return [...machine, ...platform, key, ...(isHere ? await checkInstallation(context) : [])];
}

function ofFolder(dataDir: string, pid: number | undefined): Check {
  if (pid !== undefined) return ok('data folder', `${dataDir}, used by process ${pid}`);
  if (existsSync(dataDir)) return warning('data folder', `${dataDir}; nothing runs on it`, 'Start it with "npm start".');
  return warning('data folder', `${dataDir} does not exist`, 'Start the platform with "npm start", or set HOLDFAST_DATA_DIR.');
}

/** What only the machine of the installation can see. */
async function checkInstallation({ env }: Context): Promise<readonly Check[]> {
  const { listParked, listRuns, onInstallation } = await loadTools();
  const running = runningHere(env);
  const ports = Object.entries({
    ...running?.metricsUrls,
    ...(running?.sandboxUrl === undefined ? {} : { sandbox: running.sandboxUrl }),
  });
  return Promise.all([
    ...ports.map(([name, url]) => checkPort(name, url)),
    attempt('sagas', async () => ofRuns(await listRuns())),
    attempt('parked', async () =>
      ofParked(
        (
          await onInstallation(
            (installation) => listParked(installation, serviceNames),
            () => undefined,
          )
        ).length,
      ),
    ),
  ]);
}

async function checkPort(name: string, url: string): Promise<Check> {
  const responds = await getJson(url).then(
    () => true,
    () => false,
  );
  if (responds) return ok(`port of ${name}`, url);
  return failed(
    `port of ${name}`,
    `${url} does not respond`,
    'Look at the log of the platform; start it again if it has stopped.',
  );
}

type Run = { readonly id: string; readonly saga: string; readonly retryStoppedReason: string | null; readonly attempts: number };
const resentMax = 5;

export function ofRuns(runs: readonly Run[]): Check {
  const stopped = runs.filter(({ retryStoppedReason }) => retryStoppedReason !== null);
  const [first] = stopped;
  if (first !== undefined) {
    const todo = `"holdfast sagas show ${first.id}", then "holdfast sagas resolve" (docs/operations/resolving-a-run.md).`;
    return failed('sagas', `${stopped.length} need a person`, todo);
  }
  const stalled = runs.filter(({ attempts }) => attempts >= resentMax);
  if (stalled.length > 0)
    return warning('sagas', `${stalled.length} stalled of ${runs.length} open`, '"holdfast sagas list" shows them.');
  return ok('sagas', `${runs.length} open, none stalled`);
}

function ofParked(count: number): Check {
  if (count === 0) return ok('parked messages', 'none');
  return failed(
    'parked messages',
    count.toString(),
    '"holdfast parked" shows them, "holdfast parked redrive <service>" delivers them again.',
  );
}

async function attempt(name: string, work: () => Promise<Check>): Promise<Check> {
  try {
    return await work();
  } catch (error) {
    return failed(name, error instanceof Error ? error.message : String(error), 'Look at the log of the platform.');
  }
}

function orReason<Value>(read: () => Value): Value | { readonly reason: string } {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return { reason: error.message };
  }
}

function print({ line, paint }: Output, checks: readonly Check[]): void {
  const signs = { ok: paint.green('ok  '), warning: paint.yellow('WARN'), failed: paint.red('FAIL') } as const;
  const width = Math.max(...checks.map(({ name }) => name.length));
  for (const { name, status, found, todo } of checks) {
    line(`${signs[status]}  ${name.padEnd(width)}  ${found}`);
    if (todo !== '') line(`      ${''.padEnd(width)}  → ${todo}`);
  }
  const count = checks.filter(({ status }) => status !== 'ok').length;
  line(count === 0 ? '\nEverything is as it should be.' : `\n${count} of ${checks.length} checks need a look.`);
}
