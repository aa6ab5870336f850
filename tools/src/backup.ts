import { createBackup, readCommandSettings } from '@holdfast/all-in-one';
import { systemClock } from '@holdfast/kernel/context';
import { processEnvironment } from '@holdfast/process/config';
import { printError, runCommand } from './command/run-command.js';

/** `npm run backup -- <folder>`: backs up an installation on the embedded server, running or not. */
const usage = [
  'npm run backup -- <folder>   copies database, secrets and sandbox into the new folder, or into a new one inside an existing folder',
  '',
  'It may be used while the installation runs. The backup contains every key: store it encrypted.',
].join('\n');

await runCommand(async ([folder, ...others]) => {
  if (folder === undefined || folder.startsWith('-') || others.length > 0) return printError(usage);
  const onProgress = (fact: string): void => console.log(`… ${fact}`);
  const settings = readCommandSettings(processEnvironment());
  const backup = await createBackup(settings, folder, { clock: systemClock(), onProgress });
  const bytes = backup.manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const size = `${backup.manifest.files.length.toLocaleString('en')} files, ${Math.ceil(bytes / 1_000_000).toLocaleString('en')} MB`;
  console.log(`The backup of ${settings.holdfastDataDir} is in ${backup.folder} (${size}).`);
  for (const warning of backup.warnings) console.log(warning);
  return 0;
});
