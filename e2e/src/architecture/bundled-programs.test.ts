import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { repository } from './planted-tree.js';

const imports = z.array(z.object({ path: z.string(), kind: z.string(), external: z.boolean().optional() }));
const output = z.object({ imports, inputs: z.record(z.string(), z.unknown()), entryPoint: z.string().optional() });
const metafile = z.object({ outputs: z.record(z.string(), output) });
const lockfile = z.object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) });

const { outputs } = metafile.parse(readJson('dist/metafile.json'));

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(path.join(repository, file), 'utf8'));
}

/** What is loaded before the first line of a program runs. */
function loadedWith(file: string): readonly string[] {
  const found = new Set([file]);
  for (const each of found)
    for (const { path: next, kind, external } of outputs[each]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) found.add(next);
  return [...found];
}

function packagesIn(files: readonly string[]): readonly string[] {
  const inputs = files.flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
  return [...new Set(inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []))];
}

describe('the built programs', () => {
  it('need no development dependency: npm ci --omit=dev && npm start', () => {
    const { packages } = lockfile.parse(readJson('package-lock.json'));
    const bundled = packagesIn(Object.keys(outputs));
    expect(bundled.length).toBeGreaterThan(50);
    expect(bundled.filter((name) => packages[name]?.dev !== undefined)).toEqual([]);
  });

  it('print the first line of npm start before they load a library', () => {
    const [main = ''] = Object.keys(outputs).filter((file) => outputs[file]?.entryPoint === 'all-in-one/src/main.ts');
    expect(packagesIn(loadedWith(main))).toEqual([]);
    expect(loadedWith(main)).not.toEqual(['']);
  });
});
