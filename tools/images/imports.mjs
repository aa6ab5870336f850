// The files that a command of tools/ is made of, and the packages that they import.
import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { readManifest } from './closure.mjs';

/** Packages of this repository. */
const ours = /^@holdfast\//;
/** The name of a package or a builtin, not a path. */
const bareSpecifier = /^[^./]/;

/**
 * By package: the files of the commands, and every package that they import, ours included. By file: the files of our packages that are
 * imported, their package.json, their links in node_modules, and the npm packages that these files import.
 */
export async function importsOf(root, programs, { isByFile = false, without = [] }) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: programs,
    bundle: true,
    plugins: [stopAtPackages((name) => isByFile && ours.test(name) && !without.includes(name))],
    tsconfigRaw: {}, // ours leads to the sources
    format: 'esm',
    platform: 'node',
    outdir: path.join(root, 'unused'),
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const files = Object.keys(metafile.inputs);
  const packages = wantedBy(root, metafile).filter(({ name }) => !isBuiltin(name) && !without.includes(name));
  return isByFile ? { ...ourPackages(root, files), packages } : { files, packages };
}

/** Leaves packages alone, except those of this repository whose files are wanted. */
function stopAtPackages(isFollowed) {
  return {
    name: 'stop-at-packages',
    setup({ onResolve }) {
      onResolve({ filter: bareSpecifier }, ({ path: specifier, kind }) =>
        kind === 'entry-point' || isFollowed(packageOf(specifier)) ? undefined : { path: specifier, external: true },
      );
    },
  };
}

/** Each package that some file imports, once for each folder that imports it. */
function wantedBy(root, { inputs }) {
  const wanted = new Map();
  for (const [file, { imports }] of Object.entries(inputs)) {
    const from = packageFolderOf(root, file);
    for (const { path: specifier, external } of imports) {
      const name = packageOf(specifier);
      if (external) wanted.set(`${from} ${name}`, { name, from });
    }
  }
  return [...wanted.values()];
}

/** The files of a command in tools/ need no package.json: the image has one at its root. */
function ourPackages(root, files) {
  const folders = [...new Set(files.map((file) => packageFolderOf(root, file)))].filter((folder) => folder !== 'tools');
  return {
    files: [...files, ...folders.map((folder) => path.join(folder, 'package.json'))],
    links: folders.map((folder) => [path.join('node_modules', readManifest(root, folder).name), folder]),
  };
}

/** The folder with the nearest package.json. */
function packageFolderOf(root, file) {
  for (let folder = path.dirname(file); folder !== '.'; folder = path.dirname(folder))
    if (existsSync(path.join(root, folder, 'package.json'))) return folder;
  return '';
}

function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function isBuiltin(name) {
  return name.startsWith('node:') || builtinModules.includes(name);
}
