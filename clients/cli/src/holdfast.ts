import { processEnvironment } from '@holdfast/process/config';
import { exitCodes } from './failure.js';
import { runCli } from './run-cli.js';

/** The program `holdfast`. A reader that closes the pipe, such as `head`, has what it wanted. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCodes.done);
});

process.exitCode = await runCli(process.argv.slice(2), processEnvironment());
