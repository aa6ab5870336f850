import { toEpochMs, toInstant, type Context } from '@holdfast/kernel/context';
import { auditRecorded, credentialsRefusedAction } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import type { Deps, RefusalCount } from './ports.js';

/** Gateways report a minute within seconds, and never after this time. */
const closedAfterMs = 120_000;

/** Publishes one audit entry for each address and minute, once no gateway can add to its count. */
export async function publishRefusedCredentials(deps: Deps, ctx: Context): Promise<void> {
  const before = toInstant(toEpochMs(ctx.at) - closedAfterMs);
  await deps.inTransaction(ctx, async (tx) => {
    for (const refused of await tx.refusals.take(before)) {
      // A refused credential belongs to no marketplace, so the entry goes to the default one.
      tx.publish(auditRecorded, {
        aggregateId: refused.address,
        aggregateVersion: 1,
        marketplaceId: defaultMarketplaceId,
        payload: auditFactOf(refused),
      });
    }
  });
}

function auditFactOf({ address, minute, count }: RefusalCount) {
  return {
    action: credentialsRefusedAction,
    resourceType: 'Address',
    resourceId: address,
    actorType: 'address',
    actorId: address,
    result: 'FAILURE',
    reason: count === 1 ? 'A credential was refused.' : `${count} credentials were refused within a minute.`,
    before: null,
    after: { count, minute },
    recordedAt: minute,
  } as const;
}
