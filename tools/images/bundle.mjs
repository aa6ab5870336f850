// What a program of `dist` consists of, as esbuild has recorded it in `dist/metafile.json`.
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

const recorded = path.join('dist', 'metafile.json');
/** How a source file names a file beside the sources: `new URL('../migrations', import.meta.url)`. */
const ownFile = /new URL\(\s*'([^']+)',\s*import\.meta\.url\)/g;

/**
 * The built files of the programs; the files and folders that their sources name; the npm packages whose code is bundled; and those that
 * are loaded from node_modules, each with the folder that imports it.
 */
export function contentsOf(root, { programs, without = [] }) {
  const metafile = readMetafile(root);
  const outputs = reachableFrom(
    metafile,
    programs.map((name) => `dist/${name}.js`),
    without,
  );
  const inputs = [...new Set(outputs.flatMap((output) => Object.keys(metafile.outputs[output].inputs)))];
  const sources = inputs.filter((file) => file.endsWith('.ts') && !file.startsWith('program:') && packageOf(file) === undefined);
  return {
    outputs,
    ownFiles: [...new Set(sources.flatMap((file) => namedIn(root, file)))],
    bundled: [...new Set(inputs.map(packageOf).filter((folder) => folder !== undefined))],
    loaded: inputs.flatMap((file) => loadedBy(metafile, file)),
  };
}

function readMetafile(root) {
  const file = path.join(root, recorded);
  if (!existsSync(file)) throw new Error(`${recorded} is missing: run "npm run build" first.`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** With what they import, on demand too. */
function reachableFrom({ outputs }, programs, without) {
  const isLeftOut = ({ entryPoint = '' }) => without.some((folder) => entryPoint.startsWith(`${folder}/`));
  const found = new Set(programs);
  for (const file of found)
    // grows while it is walked
    for (const { path: next, external } of outputs[file].imports) if (!external && !isLeftOut(outputs[next])) found.add(next);
  return [...found];
}

/** The innermost folder of an npm package: `node_modules/pg`, or a nested one. */
function packageOf(file) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function namedIn(root, source) {
  const text = readFileSync(path.join(root, source), 'utf8');
  return [...text.matchAll(ownFile)].map(([, relative]) => path.join(path.dirname(source), relative));
}

/** A package may ask for one that is not installed. */
function loadedBy({ inputs }, file) {
  const loaded = inputs[file]?.imports.filter(({ path: name, external }) => external && !isBuiltin(name)) ?? [];
  return loaded.map(({ path: name }) => ({ name, from: path.dirname(file), isOptional: packageOf(file) !== undefined }));
}
