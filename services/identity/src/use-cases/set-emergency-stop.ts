import type { Context } from '@holdfast/kernel/context';
import { auditRecorded, emergencyStopChanged, emergencyStopId } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { changed, type EmergencyStop } from '../domain/emergency-stop.js';
import type { Deps, UnitOfWork } from './ports.js';

export type SetEmergencyStop = {
  readonly isStopped: boolean;
  readonly by: string;
  readonly reason: string;
  readonly actorType?: 'operator' | 'system';
};

/** One commit: the state, the message to the services that sign and pay out, and the audit entry. A repeat changes nothing. */
export async function setEmergencyStop(deps: Deps, input: SetEmergencyStop, ctx: Context): Promise<EmergencyStop> {
  await deps.inTransaction(ctx, (tx) => changeEmergencyStop(tx, input, ctx));
  return deps.emergencyStop.find();
}

export async function changeEmergencyStop(tx: UnitOfWork, input: SetEmergencyStop, ctx: Context): Promise<void> {
  const before = await tx.emergencyStop.lock();
  const after = changed(before, { ...input, at: ctx.at });
  if (after === undefined) return;
  await tx.emergencyStop.save(after);
  // It concerns all marketplaces, so message and entry belong to the default one.
  const about = { aggregateId: emergencyStopId, aggregateVersion: after.version, marketplaceId: defaultMarketplaceId };
  tx.publish(emergencyStopChanged, { ...about, payload: { isStopped: after.isStopped } });
  tx.publish(auditRecorded, { ...about, payload: auditFactOf(before, after, input, ctx) });
  ctx.log.warn({ isStopped: after.isStopped, by: input.by, reason: input.reason }, 'emergency stop changed');
}

function auditFactOf(
  before: EmergencyStop,
  after: EmergencyStop,
  { by, reason, actorType = 'operator' }: SetEmergencyStop,
  { at }: Context,
) {
  return {
    action: after.isStopped ? 'EMERGENCY_STOPPED' : 'EMERGENCY_RESUMED',
    resourceType: 'EmergencyStop',
    resourceId: emergencyStopId,
    actorType,
    actorId: by,
    result: 'SUCCESS',
    reason,
    before: { isStopped: before.isStopped },
    after: { isStopped: after.isStopped },
    recordedAt: at,
  } as const;
}
