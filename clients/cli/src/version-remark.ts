import type { Command } from 'commander';
import { z } from 'zod';
import { productVersion } from '@holdfast/all-in-one/commands';
import { apiPrefix } from '@holdfast/contracts/http';
import type { Environment } from '@holdfast/process/config';
import { refusalOf } from './failure.js';
import { findRoot, type Given } from './find-platform.js';
import { getJson } from './get-json.js';

const health = z.object({ data: z.object({ version: z.string() }) });

/** After a refusal: a line if the platform has another version than this program, or none at all. */
export async function versionRemark(error: unknown, program: Command, env: Environment): Promise<readonly string[]> {
  if (refusalOf(error) === undefined) return [];
  const root = findRoot(program.opts<Given>(), env);
  const found = await getJson(`${root}${apiPrefix}/health`).catch(() => undefined);
  if (found === undefined) return [];
  const { data } = health.safeParse(found.body);
  if (data === undefined) return [`What responds at ${root} is not Holdfast: correct --api (HOLDFAST_API).`];
  const { version } = data.data;
  if (version === productVersion) return [];
  return [`The platform at ${root} has version ${version}, and this program ${productVersion}: use the program of that version.`];
}
