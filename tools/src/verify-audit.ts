import { onInstallation } from './command/on-installation.js';
import { runCommand } from './command/run-command.js';
import { verifyChain } from './verify-audit/verify-chain.js';

/** `npm run verify-audit`: checks the hash chain of the audit trail. Exit code 0 when it holds, 1 when it is broken or the check failed. */
await runCommand(() => onInstallation(verifyChain));
