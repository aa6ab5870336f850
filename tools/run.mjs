// Builds what is stale, then becomes the program that is named: `node tools/run.mjs all-in-one/dist/main.js [words]`.
// One process, so that signals from npm or a terminal reach the program itself.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [program, ...words] = process.argv.slice(2);

const built = spawnSync(process.execPath, [path.join(root, 'tools', 'build.mjs')], { stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);

const file = path.join(root, program);
process.argv = [process.execPath, file, ...words];
await import(pathToFileURL(file).href);
