import { onInstallation } from './command/on-installation.js';
import { runCommand } from './command/run-command.js';
import { verifyBooks } from './verify-ledger/verify-books.js';

/** `npm run verify-ledger`: proves the books against themselves. Exit code 0 when they are sound, 1 when not or not known. */
await runCommand(() => onInstallation(verifyBooks));
