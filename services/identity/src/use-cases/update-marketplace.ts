import type { Context } from '@holdfast/kernel/context';
import { marketplaceChanged, type Payload } from '@holdfast/contracts/messages';
import { AppError } from '@holdfast/kernel/errors';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { durationMsOf } from '@holdfast/kernel/instants';
import { marketplaceSettings, patchMarketplace, type Marketplace, type MarketplacePatch } from '../domain/marketplace.js';
import { requireMaster } from '../domain/rights.js';
import { auditedChangeOf, publishAudit } from './audit.js';
import type { Deps } from './ports.js';

export type UpdateMarketplace = MarketplacePatch & { readonly id: MarketplaceId };

/** One commit: the settings, the message to the service that keeps a copy of them, and the audit entry. */
export async function updateMarketplace(deps: Deps, input: UpdateMarketplace, ctx: Context): Promise<Marketplace> {
  requireMaster(ctx.caller);
  const { id, ...patch } = input;
  assertPeriods(deps, patch);
  return deps.perform({ name: 'updateMarketplace', input, ctx }, async (tx) => {
    const before = await tx.marketplaces.lock(id);
    if (before === undefined) throw new AppError('MARKETPLACE_NOT_FOUND', { marketplaceId: id });
    const after = patchMarketplace(before, patch);
    if (after === before) return before;
    await tx.marketplaces.save(after);
    const message = { aggregateId: id, aggregateVersion: after.version, marketplaceId: id, payload: payloadOf(after) };
    tx.publish(marketplaceChanged, message);
    const resource = { id, version: after.version, marketplaceId: id };
    const change = auditedChangeOf(before, after, marketplaceSettings);
    publishAudit(tx, { ...change, action: 'MARKETPLACE_UPDATED', resourceType: 'Marketplace', resource }, ctx);
    return after;
  });
}

/** The longest period and the form are checked with the request. */
function assertPeriods({ disputePeriodMin }: Deps, patch: MarketplacePatch): void {
  const leastMs = durationMsOf(disputePeriodMin) ?? 0;
  const periods = ['disputeResponsePeriod', 'disputeDecisionPeriod'] as const;
  const short = periods.filter((field) => (durationMsOf(patch[field] ?? disputePeriodMin) ?? 0) < leastMs);
  if (short.length === 0) return;
  throw new AppError('VALIDATION_ERROR', {
    validationErrors: short.map((field) => `${field} must be at least ${disputePeriodMin}`),
  });
}

function payloadOf(marketplace: Marketplace): Payload<typeof marketplaceChanged> {
  const { id, disputeResponsePeriod, disputeDecisionPeriod, onNoResponse } = marketplace;
  return { marketplaceId: id, disputeResponsePeriod, disputeDecisionPeriod, onNoResponse };
}
