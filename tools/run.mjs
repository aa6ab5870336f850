// Builds what is stale, then becomes the program that is named: `node tools/run.mjs all-in-one/dist/main.js [words]`.
// One process, so that signals from npm or a terminal reach the program itself.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const parentPollMs = 250;
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [program, ...words] = process.argv.slice(2);

const built = spawnSync(process.execPath, [path.join(root, 'tools', 'build.mjs')], { stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);

if (process.env.npm_lifecycle_event !== undefined) stopWithoutParent(process.ppid);
const file = path.join(root, program);
process.argv = [process.execPath, file, ...words];
await import(pathToFileURL(file).href);

/** npm passes signals on, but not the one that kills it: whoever kills npm means the program. */
function stopWithoutParent(parent) {
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, parentPollMs).unref();
}
