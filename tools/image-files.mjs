// Makes the files of one process's image: `node tools/image-files.mjs <process> <folder>`. `all` makes one folder per process, `--sizes`
// prints what each of them weighs. The Dockerfile runs it after `npm ci` and `npm run build`, and so do the tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { processes } from './images/processes.mjs';
import { sizesTable } from './images/sizes.mjs';
import { writeImage } from './images/write-image.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const usage = `Use: node tools/image-files.mjs <process> <folder>, where <process> is "all" or one of ${Object.keys(processes).join(', ')};
or: node tools/image-files.mjs --sizes`;

const [name = '', folder] = process.argv.slice(2);
if (name === '--sizes') printSizes();
else if (folder === undefined || (name !== 'all' && !Object.hasOwn(processes, name))) refuse();
else if (name === 'all') for (const each of Object.keys(processes)) await writeImage(root, each, path.join(folder, each));
else await writeImage(root, name, folder);

function refuse() {
  console.error(usage);
  process.exitCode = 1;
}

async function printSizes() {
  const scratch = mkdtempSync(path.join(tmpdir(), 'holdfast-images-'));
  try {
    for (const each of Object.keys(processes)) await writeImage(root, each, path.join(scratch, each));
    console.log(sizesTable(scratch));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
