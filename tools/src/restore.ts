import path from 'node:path';
import { readCommandSettings, restoreBackup } from '@holdfast/all-in-one';
import { systemClock } from '@holdfast/kernel/context';
import { processEnvironment } from '@holdfast/process/config';
import { printError, runCommand } from './command/run-command.js';
import { acceptRestore } from './restore/accept.js';
import { parseRestoreOptions } from './restore/parse-options.js';

/** `npm run restore -- <folder>` and `npm run restore -- --accept --by <name>`. */
const usage = [
  'npm run restore -- <folder>                  restores a backup into the empty data folder; signing and payouts are stopped in it',
  'npm run restore -- --accept --by <name>      lets them resume, once the restored installation runs and was checked',
].join('\n');

await runCommand(async (args) => {
  const options = parseRestoreOptions(args);
  if (typeof options === 'string') return printError(`${options}\n\n${usage}`);
  const { holdfastDataDir: dataDir } = readCommandSettings(processEnvironment());
  if (options.command === 'accept') {
    await acceptRestore(dataDir, options.by);
    console.log('Accepted: signing and payouts resume.');
    return 0;
  }
  const onProgress = (fact: string): void => console.log(`… ${fact}`);
  const manifest = await restoreBackup(dataDir, path.resolve(options.folder), { clock: systemClock(), onProgress });
  console.log(textOf(dataDir, manifest));
  return 0;
});

type Restored = Awaited<ReturnType<typeof restoreBackup>>;

function textOf(dataDir: string, { createdAt, missingSecrets }: Restored): string {
  const given = `These secrets are not in the backup, because they were settings; start with the same ones: ${missingSecrets.join(', ')}`;
  return [
    `The backup of ${createdAt} is restored in ${dataDir}. Signing and payouts are stopped in it.`,
    ...(missingSecrets.length > 0 ? [given] : []),
    'Start it, prove the books with "npm run verify-ledger", go through docs/operations/backup-and-restore.md, then run:',
    '  npm run restore -- --accept --by <name>',
  ].join('\n');
}
