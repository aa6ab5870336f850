import { explain, findApi, openInstallation, readCommandSettings } from '@holdfast/all-in-one';
import { processEnvironment } from '@holdfast/shared/config';
import { clientOf } from './demo/client.js';
import { stories } from './demo/stories.js';
import { verifyBooks } from './verify-ledger/verify-books.js';

/** `npm run demo`: plays a release, a refund and a split dispute on a running platform, and proves the books at the end. */
try {
  const env = processEnvironment();
  const api = findApi(env);
  console.log(`Playing on ${api.baseUrl}\n`);
  for (const story of stories) await story(clientOf(api), (line) => console.log(line));
  const installation = await openInstallation(readCommandSettings(env), (fact) => console.log(`… ${fact}`));
  try {
    process.exitCode = await verifyBooks(installation);
  } finally {
    await installation.close();
  }
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
