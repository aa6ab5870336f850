import { auditRecorded } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import type { Tx } from '@holdfast/postgres';
import type { ContractStatus } from '../domain/contract-states.js';
import type { IntentOfRun, Resolution, ResolutionDeps } from './resolution-ports.js';

type Audited = {
  readonly run: IntentOfRun;
  readonly resolution: Resolution;
  readonly by: string;
  /** The reply that ends the run, and the contract after it. Left out while a second person is awaited. */
  readonly end?: { readonly reply: string; readonly contractStatus: ContractStatus };
  readonly ctx: Context;
};

/** SAGA_RESOLVED, or SAGA_RESOLVE_REQUESTED while a second person is awaited; in the commit of what it reports. */
export async function publishResolutionAudit(
  deps: ResolutionDeps,
  tx: Tx,
  { run, resolution, by, end, ctx }: Audited,
): Promise<void> {
  const { escrowId, orderId, marketplaceId, version, status } = run.contract;
  const { sagaRunId, outcome, transactionHash, contractId, requestedBy, approvedBy } = resolution;
  const before = { saga: run.intent.saga ?? null, step: run.intent.kind, contractStatus: status };
  const decided = { outcome, transactionHash, contractId, requestedBy, approvedBy };
  await deps.publish(tx, {
    // The entry is published in the commit that stores the resolution, so no other commit publishes it.
    id: deps.newId('evt'),
    declaration: auditRecorded,
    escrowId,
    marketplaceId,
    version,
    correlationId: ctx.requestId,
    payload: {
      action: end === undefined ? 'SAGA_RESOLVE_REQUESTED' : 'SAGA_RESOLVED',
      resourceType: 'Order',
      resourceId: orderId,
      relatedIds: [escrowId, sagaRunId],
      actorType: 'operator',
      actorId: by,
      result: 'SUCCESS',
      reason: resolution.approvalEvidence ?? resolution.evidence,
      before,
      after: { ...before, ...decided, ...end },
      recordedAt: ctx.at,
    },
  });
}
