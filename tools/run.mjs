// Builds what is stale, then runs the named program in this process: `node tools/run.mjs all-in-one/dist/main.js [arguments]`.
// One process, so that signals from npm or a terminal reach the program itself.
import './require-node.cjs';
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

/** npm forwards signals except SIGKILL, so the program also stops when npm is gone. It is told once: a second signal would end it at once. */
function stopWithoutParent(parent) {
  const poll = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(poll);
    process.kill(process.pid, 'SIGTERM');
  }, parentPollMs).unref();
}
