import { explain, openInstallation, readCommandSettings, type Installation } from '@holdfast/all-in-one';
import { auditSealPurpose, notifications, proveAudit, sealerWith, type AuditProof } from '@holdfast/notifications';
import { processEnvironment } from '@holdfast/shared/config';
import { systemClock } from '@holdfast/shared/context';
import { createLog } from '@holdfast/shared/observability';
import { connectDatabase, derivePassword, roleOf } from '@holdfast/shared/postgres';
import { purposeKeys } from '@holdfast/shared/secrets';

/** `npm run verify-audit`: proves that nobody changed the audit trail. Exit code 0 when it is sound, 1 when not or not known. */
try {
  const installation = await openInstallation(readCommandSettings(processEnvironment()), (fact) => console.log(`… ${fact}`));
  try {
    process.exitCode = await verify(installation);
  } finally {
    await installation.close();
  }
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function verify({ title, databaseUrl, internalSecret }: Installation): Promise<number> {
  const { name } = notifications;
  const database = await connectDatabase({
    adminUrl: databaseUrl,
    service: name,
    password: derivePassword(internalSecret, roleOf(name)),
    poolMax: 1,
    log: createLog({ service: 'verify-audit', level: 'warn', pretty: true }),
  });
  try {
    const sealer = sealerWith(purposeKeys(internalSecret)(auditSealPurpose));
    const proof = await proveAudit(database, systemClock(), sealer);
    report(title, proof);
    return proof.firstBreak === null ? 0 : 1;
  } finally {
    await database.close();
  }
}

function report(title: string, { entries, batches, checkedAt, lastHash, firstBreak }: AuditProof): void {
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
