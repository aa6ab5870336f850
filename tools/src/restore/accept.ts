import { CannotStart, readRestoredMark, removeRestoredMark } from '@holdfast/all-in-one';
import { setEmergencyStop } from '@holdfast/contracts/http';
import { callContext, onService } from '../command/on-service.js';

/**
 * Turns the emergency stop of a restored installation off. The installation must run, because identity records who did it. The mark of
 * the restore is removed last, so that an interrupted call can be repeated.
 */
export async function acceptRestore(dataDir: string, by: string): Promise<void> {
  const restored = readRestoredMark(dataDir);
  if (restored === undefined)
    throw new CannotStart(`There is nothing to accept: no backup was restored into ${dataDir}, or it was accepted already.`);
  const reason = `the restore of the backup of ${restored.backupCreatedAt} was accepted`;
  await onService('restore', 'identity', (identity) =>
    identity.call(setEmergencyStop, { body: { isStopped: false, by, reason } }, callContext),
  );
  removeRestoredMark(dataDir);
}
