import type { Installation } from '@holdfast/all-in-one/commands';
import {
  auditSealPurpose,
  entities,
  sealerWith,
  verifyAuditChain,
  type AuditVerification,
} from '@holdfast/notifications/operator';
import { systemClock } from '@holdfast/kernel/context';
import { createLog } from '@holdfast/observability';
import { purposeKeys } from '@holdfast/kernel/secrets';
import { onDatabase, onInstallation } from './command/on-installation.js';
import { runCommand } from './command/run-command.js';

/** `npm run verify-audit`: checks the hash chain of the audit trail. Exit code 0 when it holds, 1 when it is broken or the check failed. */
await runCommand(() => onInstallation(verify));

async function verify(installation: Installation): Promise<number> {
  const log = createLog({ service: 'verify-audit', level: 'warn', pretty: true });
  const sealer = sealerWith(purposeKeys(installation.internalSecret)(auditSealPurpose));
  const proof = await onDatabase(installation, { service: 'notifications', entities, log }, (database) =>
    verifyAuditChain(database, systemClock(), sealer),
  );
  report(installation.title, proof);
  return proof.firstBreak === null ? 0 : 1;
}

function report(title: string, { entries, batches, checkedAt, lastHash, firstBreak }: AuditVerification): void {
  console.log(`The audit trail of ${title}\n`);
  const facts = [
    ['entries', entries.toLocaleString('en')],
    ['batches', batches.toLocaleString('en')],
    ['last hash', lastHash === '' ? 'none' : lastHash],
    ['as of', checkedAt],
  ];
  for (const [label = '', value = ''] of facts) console.log(`  ${label.padEnd(10)} ${value}`);
  if (firstBreak === null) {
    console.log('\nSound: every entry is as it was recorded.');
    return;
  }
  const { entryId, position, batch, fault } = firstBreak;
  const what = entryId === null ? `entry number ${position}` : `${entryId} (number ${position})`;
  console.log(`\nNOT SOUND: ${what} in batch ${batch}: ${fault}. Everything before it is as it was recorded.`);
}
