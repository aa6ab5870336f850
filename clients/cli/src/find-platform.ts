import { existsSync } from 'node:fs';
import {
  CannotStart,
  findRunning,
  isMarked,
  readCommandSettings,
  readSecret,
  type RunningInstallation,
} from '@holdfast/all-in-one/commands';
import { apiPrefix } from '@holdfast/contracts/http';
import { parsesAsUrl } from './parse.js';
import type { Environment } from '@holdfast/process/config';
import { readCliSettings } from './config.js';

/** Where a command sends its requests. */
export type Platform = {
  /** The root of the platform, without a slash at its end. */
  readonly root: string;
  readonly key: string;
};

export type Given = { readonly api?: string; readonly key?: string };

/** `--api` and `--key`, else the environment, else the platform that runs on the data folder. */
export function findPlatform(given: Given, env: Environment): Platform {
  const root = findRoot(given, env);
  const { holdfastKey, masterKey } = readCliSettings(env);
  const key = given.key ?? holdfastKey ?? masterKey ?? storedKey(root, env);
  if (key === undefined) throw new CannotStart('There is no API key: give one with --key, or set HOLDFAST_KEY.');
  return { root, key };
}

export function findRoot({ api }: Given, env: Environment): string {
  const { holdfastApi, holdfastUrl } = readCliSettings(env);
  const named = api ?? holdfastApi ?? holdfastUrl;
  if (named !== undefined) return rootOf(named);
  const running = runningHere(env);
  if (running?.baseUrl !== undefined) return rootOf(running.baseUrl);
  const { holdfastDataDir } = readCommandSettings(env);
  throw new CannotStart(
    running === undefined
      ? `Nothing runs on ${holdfastDataDir}: start it with "npm start", or give --api and --key (HOLDFAST_API, HOLDFAST_KEY).`
      : `Process ${running.pid} on ${holdfastDataDir} is still starting: try again in a few seconds.`,
  );
}

/** The sandbox that `--sandbox` or HOLDFAST_SANDBOX names, else the sandbox of the platform on the data folder. */
export function findSandbox(named: string | undefined, env: Environment): string {
  const url = named ?? readCliSettings(env).holdfastSandbox ?? runningHere(env)?.sandboxUrl;
  if (url !== undefined) return withoutSlash(checked(url, '--sandbox'));
  throw new CannotStart(
    'There is no sandbox: it runs with "npm start" unless real providers are set. One elsewhere is named by --sandbox or HOLDFAST_SANDBOX.',
  );
}

export function runningHere(env: Environment): RunningInstallation | undefined {
  const { holdfastDataDir } = readCommandSettings(env);
  return existsSync(holdfastDataDir) ? findRunning(holdfastDataDir) : undefined;
}

/** The stored key is sent only to the platform that it belongs to: `--api` may name any server. */
function storedKey(root: string, env: Environment): string | undefined {
  const { holdfastDataDir } = readCommandSettings(env);
  const baseUrl = runningHere(env)?.baseUrl;
  if (baseUrl === undefined || rootOf(baseUrl) !== root || !isMarked(holdfastDataDir)) return undefined;
  return readSecret(holdfastDataDir, 'masterKey');
}

/** The root of a platform: a slash or the prefix of the API at its end is left out. */
export function rootOf(url: string): string {
  const text = withoutSlash(checked(url, '--api'));
  return text.endsWith(apiPrefix) ? text.slice(0, -apiPrefix.length) : text;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function checked(url: string, option: string): string {
  if (!parsesAsUrl(url)) throw new CannotStart(`${option} must be an address such as http://127.0.0.1:8080, and is "${url}".`);
  return url;
}
