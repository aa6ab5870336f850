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
import { onDatabase } from '../command/on-installation.js';

/** Checks the hash chain of the audit trail. */
export function checkChain(installation: Installation): Promise<AuditVerification> {
  const log = createLog({ service: 'verify-audit', level: 'warn', pretty: true });
  const sealer = sealerWith(purposeKeys(installation.internalSecret)(auditSealPurpose));
  return onDatabase(installation, { service: 'notifications', entities, log }, (database) =>
    verifyAuditChain(database, systemClock(), sealer),
  );
}

/** Checks it and prints the result. The exit code is 0 when it holds, else 1. */
export async function verifyChain(installation: Installation): Promise<number> {
  const proof = await checkChain(installation);
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
