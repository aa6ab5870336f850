import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg, release, totalmem, type as systemName } from 'node:os';
import { z } from 'zod';
import type { Machine } from './results.js';

/** The machine and what runs on it; `servers` names what the benchmark itself has started. */
export function describeMachine(packages: readonly string[], servers: Readonly<Record<string, string>>): Machine {
  const [processor] = cpus();
  return {
    processor: processor?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${systemName()} ${release()}`,
    versions: {
      node: process.versions.node,
      ...servers,
      ...Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
    },
  };
}

/** The load average of the last minute. */
export function loadNow(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100;
}

const manifest = z.object({ version: z.string() });

/** Read from the file: packages need not export their manifest. */
function versionOf(name: string): string {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of paths) {
    try {
      return manifest.parse(JSON.parse(readFileSync(`${folder}/${name}/package.json`, 'utf8'))).version;
    } catch {
      // It is in one of the next folders.
    }
  }
  return 'unknown';
}
