import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { metricsDeclaredIn, settingsDeclaredIn, statesDeclaredIn, type Exports } from './declared-in.js';
import type { ProgramMetrics } from './metrics-page.js';
import type { ProgramSettings } from './settings-page.js';
import type { StateTable } from './states-page.js';

export type Discovered = {
  readonly settings: readonly ProgramSettings[];
  readonly states: readonly StateTable[];
  readonly metrics: readonly ProgramMetrics[];
};

/**
 * Finds declarations by file name: every program's settings in its `config.ts`, its metrics in its `metrics.ts`, every state table in a
 * `*-states.ts`, so that none has to be registered. Loads the sources, so it runs with tsx.
 */
export async function discover(root: string): Promise<Discovered> {
  const programs = await programsOf(root);
  const files = (await Promise.all(programs.map((program) => sourceFiles(root, program)))).flat();
  const configs = files.filter(({ file }) => file.endsWith('/src/config.ts'));
  const declarations = files.filter(({ file }) => file.endsWith('/src/metrics.ts'));
  const tables = files.filter(({ file }) => file.endsWith('-states.ts'));
  return {
    settings: await Promise.all(
      configs.map(async ({ program, file }) => settingsDeclaredIn(program, await exportsOf(root, file))),
    ),
    states: (await Promise.all(tables.map(async ({ file }) => statesDeclaredIn(file, await exportsOf(root, file))))).flat(),
    metrics: await Promise.all(
      declarations.map(async ({ program, file }) => metricsDeclaredIn(program, await exportsOf(root, file))),
    ),
  };
}

type SourceFile = { readonly program: string; readonly file: string };

async function programsOf(root: string): Promise<readonly string[]> {
  const services = await readdir(path.join(root, 'services'));
  return ['all-in-one', 'gateway', 'sandbox', ...services.sort().map((name) => `services/${name}`)];
}

async function sourceFiles(root: string, program: string): Promise<readonly SourceFile[]> {
  const folder = path.join(root, program, 'src');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.sort().map((name) => ({ program: path.basename(program), file: path.posix.join(program, 'src', name) }));
}

async function exportsOf(root: string, file: string): Promise<Exports> {
  // eslint-disable-next-line holdfast/no-type-assertion -- what a file exports is known only once it is loaded
  return (await import(pathToFileURL(path.join(root, file)).href)) as Exports;
}
