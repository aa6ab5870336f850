import { chmodSync, cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contentsOf } from './bundle.mjs';
import { closureOf } from './closure.mjs';
import { processes } from './processes.mjs';

/** Types, maps and prose of npm packages that no process reads at run time. Licences stay. */
const unread = /\.(map|d\.[cm]?ts|tsbuildinfo|md|markdown|flow)$/i;
/** What stays of a package whose code is bundled: scanners of images read its version, and its licence travels with its code. */
const kept = /^(package\.json|(licen[cs]e|copying|notice)\b.*)$/i;
const executable = 0o755;

/** Writes the tree of one process to an empty folder. Paths are the same as in the repository, so that a program finds its files in both. */
export async function writeImage(root, name, folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  const { commands = {} } = processes[name];
  const { outputs, ownFiles, bundled, loaded } = contentsOf(root, processes[name]);
  const copy = (from, { to = from, isWanted = () => true } = {}) => {
    const filter = (file) => isWanted(path.basename(file)) || file === path.join(root, from);
    cpSync(path.join(root, from), path.join(folder, to), { recursive: true, filter });
  };
  for (const file of [...outputs.flatMap((output) => [output, `${output}.map`]), ...ownFiles, 'LICENSE']) copy(file);
  for (const each of bundled)
    for (const file of readdirSync(path.join(root, each))) if (kept.test(file)) copy(path.join(each, file));
  // What is nested belongs to the closure only where something needs it, and is copied for itself then.
  for (const each of closureOf(root, loaded)) copy(each, { isWanted: (file) => file !== 'node_modules' && !unread.test(file) });
  for (const [command, file] of Object.entries(commands)) {
    const to = path.join('bin', command); // a folder that the image has in its PATH
    copy(file, { to });
    chmodSync(path.join(folder, to), executable);
  }
  copy(path.join('tools', 'images', 'healthcheck.mjs'), { to: 'healthcheck.mjs' });
  // Without it Node takes the built files for CommonJS.
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify({ type: 'module' })}\n`);
}
