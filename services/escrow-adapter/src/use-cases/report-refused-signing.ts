import { auditRecorded } from '@holdfast/contracts/messages';
import type { IntentContext } from './close-intent.js';
import type { Deps } from './ports.js';
import type { RefusedTransaction } from '@holdfast/ledger-network/submission';

/**
 * The provider built another transaction than the requested one: an error of the provider, or an attack. It is counted, logged as an
 * error, and published as an audit entry. Returns the reason for the failure of the saga.
 */
export async function reportRefusedSigning(
  deps: Deps,
  { intent, contract }: Pick<IntentContext, 'intent' | 'contract'>,
  refused: RefusedTransaction,
): Promise<string> {
  const { step, mismatch } = refused;
  const { escrowId, orderId, marketplaceId } = contract;
  const reason = refusalText(refused);
  deps.onSigningRefused(step.split(':')[0] ?? step);
  deps.log.error({ intentId: intent.id, escrowId, orderId, step, mismatch }, 'signing refused');
  await deps.inTransaction((tx) =>
    deps.publish(tx, {
      // Each refused transaction is a separate fact.
      id: deps.newId('evt'),
      declaration: auditRecorded,
      escrowId,
      marketplaceId,
      correlationId: intent.correlationId,
      payload: {
        action: 'SIGNING_REFUSED',
        resourceType: 'Order',
        resourceId: orderId,
        relatedIds: [escrowId],
        actorType: 'system',
        actorId: 'escrow-adapter',
        result: 'FAILURE',
        reason,
        before: null,
        after: { step, ...mismatch },
        recordedAt: deps.clock.now(),
      },
    }),
  );
  return reason;
}

/** For users: what was found stays in the log and in the audit entry. */
export function refusalText({ step, mismatch: { field } }: RefusedTransaction): string {
  return `the provider built another transaction than requested (${step}: ${field}), and it was not signed`;
}
