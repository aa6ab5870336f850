import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { findRunning, readCommandSettings, refuseForeignFolder, resetData } from '@holdfast/all-in-one';
import { processEnvironment } from '@holdfast/process/config';
import { runCommand } from './command/run-command.js';

/** `npm run reset`: deletes the data folder after a confirmation; `-- --yes` skips it for scripts. */
await runCommand(async () => {
  await reset();
  return 0;
});

async function reset(): Promise<void> {
  const { holdfastDataDir: dataDir } = readCommandSettings(processEnvironment());
  if (!existsSync(dataDir)) {
    console.log(`There is nothing to delete: ${dataDir} does not exist.`);
    return;
  }
  refuseForeignFolder(dataDir);
  refuseRunning(dataDir);
  if (!(await isWanted(dataDir))) {
    console.log('Nothing was deleted.');
    return;
  }
  const others = await resetData(dataDir);
  console.log(`Deleted everything that Holdfast kept in ${dataDir}.`);
  if (others.length > 0) console.log(`These are not Holdfast's and are still there: ${others.join(', ')}`);
}

function refuseRunning(dataDir: string): void {
  const running = findRunning(dataDir);
  if (running === undefined) return;
  throw new Error(`Holdfast (process ${running.pid}) is running on ${dataDir}: stop it first. Nothing was deleted.`);
}

async function isWanted(dataDir: string): Promise<boolean> {
  if (process.argv.includes('--yes')) return true;
  if (!process.stdin.isTTY)
    throw new Error('This is not a terminal, so the command cannot ask: run "npm run reset -- --yes". Nothing was deleted.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const question = `Delete ${dataDir} for good, with all balances, the master key and the internal secret? Type "yes": `;
  // Ctrl-C and Ctrl-D close the terminal without an answer; newer versions of Node reject the question, too.
  const closed = once(terminal, 'close').then(() => undefined);
  try {
    const answer = await Promise.race([terminal.question(question).catch(() => closed), closed]);
    if (answer === undefined) console.log(); // the cursor is behind the question
    return answer?.trim().toLowerCase() === 'yes';
  } finally {
    terminal.close();
  }
}
