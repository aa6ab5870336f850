import { findApi } from '@holdfast/all-in-one';
import { processEnvironment } from '@holdfast/process/config';
import { onInstallation } from './command/on-installation.js';
import { runCommand } from './command/run-command.js';
import { clientOf } from './demo/client.js';
import { stories } from './demo/stories.js';
import { verifyBooks } from './verify-ledger/verify-books.js';

/**
 * `npm run demo`: a scripted day on a running platform. It tops up, then runs a release, a refund, a split dispute, a withdrawal and
 * milestones paid one by one. At the end it prints the last seller's statement and verifies the ledger.
 */
await runCommand(async () => {
  const api = findApi(processEnvironment());
  console.log(`Running on ${api.baseUrl}\n`);
  for (const story of stories) await story(clientOf(api), (line) => console.log(line));
  return onInstallation(verifyBooks);
});
