// Builds the package into dist: one file for ESM and one for CommonJS with esbuild, and the types of each with tsc. `npm pack` runs it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const dist = path.join(here, 'dist');

rmSync(dist, { recursive: true, force: true });
for (const [format, type] of [
  ['esm', 'module'],
  ['cjs', 'commonjs'],
]) {
  const folder = path.join(dist, format);
  mkdirSync(folder, { recursive: true });
  await build({
    absWorkingDir: here,
    entryPoints: ['src/index.ts'],
    outfile: path.join(folder, 'index.js'),
    bundle: true,
    packages: 'external',
    format,
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'error',
  });
  // Tells Node and TypeScript which kind of modules is in the folder.
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify({ type })}\n`);
}
const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve('@typescript/native/package.json')), 'bin', 'tsc');
execFileSync(process.execPath, [tsc, '--project', 'tsconfig.build.json'], { cwd: here, stdio: 'inherit' });
cpSync(path.join(dist, 'esm'), path.join(dist, 'cjs'), { recursive: true, filter: (file) => !/\.(js|json)$/.test(file) });
