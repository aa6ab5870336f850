import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { restoredBy, type EmergencyStop } from '../domain/emergency-stop.js';
import { requireMaster } from '../domain/rights.js';
import type { Deps } from './ports.js';
import { changeEmergencyStop, type SetEmergencyStop } from './set-emergency-stop.js';

/**
 * The emergency stop at the request of an operator. A restored installation stays stopped until a person has accepted the restore,
 * because what was paid after the backup could be paid again. See ADR 0066.
 */
export async function requestEmergencyStop(deps: Deps, input: SetEmergencyStop, ctx: Context): Promise<EmergencyStop> {
  requireMaster(ctx.caller);
  await deps.inTransaction(ctx, async (tx) => {
    const { isStopped, changedBy } = await tx.emergencyStop.lock();
    if (isStopped && !input.isStopped && changedBy === restoredBy) {
      throw new AppError('INVALID_STATE', { reason: 'the restore must be accepted first: npm run restore -- --accept' });
    }
    await changeEmergencyStop(tx, input, ctx);
  });
  return deps.emergencyStop.find();
}
