// The packages of this repository, as the root package.json lists them.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Their folders, from the root. */
export function listWorkspaces(root) {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).workspaces.flatMap((pattern) => expand(root, pattern));
}

function expand(root, pattern) {
  if (!pattern.endsWith('/*')) return [pattern];
  const parent = pattern.slice(0, -2);
  return readdirSync(path.join(root, parent))
    .map((name) => `${parent}/${name}`)
    .filter((folder) => existsSync(path.join(root, folder, 'package.json')));
}
