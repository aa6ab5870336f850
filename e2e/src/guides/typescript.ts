import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { repository } from '../architecture/planted-tree.js';
import { run } from './snippets.js';

const sdk = path.join(repository, 'clients/sdk/src/index.ts');

/** The TypeScript of the guides, with the SDK from its sources. `e2e/src/sdk.test.ts` runs the packed one. */
export type Programs = {
  /** Checks the types of all programs at once. */
  readonly checkTypes: () => Promise<void>;
  /** Runs the program of a guide and returns what it printed. */
  readonly run: (guide: string) => Promise<string>;
  readonly remove: () => void;
};

export function writePrograms(byGuide: ReadonlyMap<string, string>): Programs {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-guides-'));
  const sourceOf = (guide: string): string => path.join(folder, `${guide}.ts`);
  for (const [guide, program] of byGuide) writeFileSync(sourceOf(guide), `${program}\nprocess.exit(0);\n`);
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  return {
    checkTypes: async () => {
      await run(path.join(repository, 'node_modules/.bin/tsc'), ['--project', folder]);
    },
    run: async (guide) => {
      const outfile = path.join(folder, `${guide}.mjs`);
      const alias = { '@holdfast/sdk': sdk };
      await build({
        entryPoints: [sourceOf(guide)],
        outfile,
        alias,
        bundle: true,
        format: 'esm',
        platform: 'node',
        target: 'node20',
      });
      return run(process.execPath, [outfile]);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [path.join(repository, 'node_modules/@types')],
    paths: { '@holdfast/sdk': [sdk] },
  },
};
