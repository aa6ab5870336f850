import { randomUUID } from 'node:crypto';
import { CannotStart, findService, readRestoredMark, removeRestoredMark } from '@holdfast/all-in-one';
import { setEmergencyStop } from '@holdfast/contracts/http';
import { callerSigner } from '@holdfast/http/caller';
import { createServiceClient } from '@holdfast/http/service-client';
import { systemClock } from '@holdfast/kernel/context';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { processEnvironment } from '@holdfast/service-host/config';

/**
 * Turns the emergency stop of a restored installation off. The installation must run, because identity records who did it. The mark of
 * the restore is removed last, so that an interrupted call can be repeated.
 */
export async function acceptRestore(dataDir: string, by: string): Promise<void> {
  const restored = readRestoredMark(dataDir);
  if (restored === undefined)
    throw new CannotStart(`There is nothing to accept: no backup was restored into ${dataDir}, or it was accepted already.`);
  const { url, internalSecret } = findService(processEnvironment(), 'identity');
  const signer = callerSigner({ secret: internalSecret, clock: systemClock() });
  const identity = createServiceClient({ from: 'restore', to: 'identity', baseUrl: url, signer });
  const reason = `the restore of the backup of ${restored.backupCreatedAt} was accepted`;
  try {
    const context = { requestId: randomUUID(), marketplaceId: defaultMarketplaceId };
    await identity.call(setEmergencyStop, { body: { isStopped: false, by, reason } }, context);
  } finally {
    await identity.close();
  }
  removeRestoredMark(dataDir);
}
