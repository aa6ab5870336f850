import { readdirSync, statSync } from 'node:fs';
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
  return ['| Image | Files | MB | npm packages in it |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** Links are not followed: what they point to is in the image, too. */
function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesOf(file);
    return entry.isFile() ? [{ file, size: statSync(file).size }] : [];
  });
}

function megabytes(files) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (bytes / bytesPerMegabyte).toFixed(1);
}
