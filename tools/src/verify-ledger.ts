import { explain, openInstallation, readCommandSettings } from '@holdfast/all-in-one';
import { processEnvironment } from '@holdfast/shared/config';
import { verifyBooks } from './verify-ledger/verify-books.js';

/** `npm run verify-ledger`: proves the books against themselves. Exit code 0 when they are sound, 1 when not or not known. */
try {
  const installation = await openInstallation(readCommandSettings(processEnvironment()), (fact) => console.log(`… ${fact}`));
  try {
    process.exitCode = await verifyBooks(installation);
  } finally {
    await installation.close();
  }
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
