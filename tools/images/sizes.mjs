import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

const bytesPerMegabyte = 1_000_000;

/** A table of the images in a folder: what they weigh without the base image of Node. */
export function sizesTable(folder) {
  const rows = readdirSync(folder).map((name) => {
    const image = path.join(folder, name);
    const files = filesOf(image);
    const ofPackages = files.filter(({ file }) => path.relative(image, file).split(path.sep).includes('node_modules'));
    return `| ${name} | ${files.length} | ${megabytes(files)} | ${megabytes(ofPackages)} |`;
  });
  return ['| Image | Files | MB | of which npm packages |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, stat: lstatSync(file) }))
    .filter(({ stat }) => stat.isFile());
}

function megabytes(files) {
  const bytes = files.reduce((sum, { stat }) => sum + stat.size, 0);
  return (bytes / bytesPerMegabyte).toFixed(1);
}
