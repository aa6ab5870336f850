import { processEnvironment, settingsOrExit } from '@holdfast/process/config';
import { readMigrateSettings } from './migrate/config.js';
import { runMigrate } from './migrate/run-migrate.js';

/**
 * `npm run migrate [-- <schema>…]`: creates roles and schemas and runs their migrations, before a roll-out. It has its own image, so
 * it imports nothing that is for development.
 */
const settings = settingsOrExit(() => readMigrateSettings(processEnvironment()));
if (settings !== undefined) process.exitCode = await runMigrate(settings, process.argv.slice(2), console);
