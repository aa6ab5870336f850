// Bundles pages for browsers: `src/main.tsx` and everything that it imports into files with a hash in their name, and `index.html`, which
// names them. One script starts the page; what only one page needs is loaded with it. See ADR 0112.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The sources that the pages were made of, and the built files, relative to the root. */
export async function buildPages(root, folder, { source, servedAt }) {
  const { build } = await import('esbuild');
  const main = path.posix.join(source, 'src', 'main.tsx');
  rmSync(path.join(root, folder), { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main },
    outdir: path.join(folder, 'assets'),
    publicPath: `${servedAt}/assets`,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome119', 'firefox121', 'safari17.2'],
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.woff2': 'file' },
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  });
  const index = path.join(folder, 'index.html');
  const template = path.join(source, 'index.html');
  writeFileSync(
    path.join(root, index),
    filledIn(readFileSync(path.join(root, template), 'utf8'), startOf(metafile, main, servedAt)),
  );
  return { inputs: [template, ...Object.keys(metafile.inputs)], outputs: [index, ...Object.keys(metafile.outputs)] };
}

/** The files that a browser needs before it can show anything: the script, its styles, and the scripts that it imports. */
function startOf({ outputs }, main, servedAt) {
  const addressOf = (file) => `${servedAt}/assets/${path.basename(file)}`;
  const [script, { cssBundle }] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === main);
  const found = new Set([script]);
  for (const file of found)
    // grows while it is walked
    for (const { path: next, kind } of outputs[file].imports) if (kind === 'import-statement') found.add(next);
  found.delete(script);
  return { script: addressOf(script), styles: addressOf(cssBundle), preloads: [...found].map(addressOf) };
}

function filledIn(template, { script, styles, preloads }) {
  const links = preloads.map((address) => `<link rel="modulepreload" href="${address}" />`);
  return template.replace('__SCRIPT__', script).replace('__STYLES__', styles).replace('<!-- preloads -->', links.join('\n    '));
}
