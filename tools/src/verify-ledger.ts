import { onInstallation } from './command/on-installation.js';
import { runCommand } from './command/run-command.js';
import { verifyBooks } from './verify-ledger/verify-books.js';

/** `npm run verify-ledger`: checks every rule of the ledger. Exit code 0 when all hold, 1 when one is broken or the check failed. */
await runCommand(() => onInstallation(verifyBooks));
