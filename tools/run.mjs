// Builds what is stale, then runs the named program in this process: `node tools/run.mjs dist/all-in-one.js [arguments]`.
// One process, so that signals from npm or a terminal reach the program itself.
import './require-node.cjs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildStale } from './build.mjs';

const parentPollMs = 250;
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [program, ...words] = process.argv.slice(2);

// Other programs start the bundles in `dist`.
await buildStale([...new Set(['dist', path.dirname(program)])]);

if (process.env.npm_lifecycle_event !== undefined) stopWithoutParent(process.ppid);
const file = path.join(root, program);
process.argv = [process.execPath, file, ...words];
await import(pathToFileURL(file).href);

/** npm forwards signals except SIGKILL, so the program also stops when npm is gone. It gets one signal only: a second one would end it at once. */
function stopWithoutParent(parent) {
  const poll = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(poll);
    process.kill(process.pid, 'SIGTERM');
  }, parentPollMs).unref();
}
