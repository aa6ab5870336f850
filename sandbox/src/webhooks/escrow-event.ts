import type { ContractEffect } from '../ledger-network/apply-contract-call.js';
import { flagsOf } from '../escrow-provider/escrow-view.js';
import { issuedAsset, nativeAsset } from '../domain/assets.js';
import type { Escrow } from '../domain/escrow.js';
import type { LandedTransaction } from '../store/records.js';

export type EscrowEvent = { readonly type: string; readonly status: string; readonly milestoneIndex?: number };

/** The webhook event of a contract change; undefined for changes without a webhook. */
export function escrowEventOf({ before, after, transfers }: ContractEffect): EscrowEvent | undefined {
  if (before === undefined) return { type: 'escrow.created', status: 'CREATED' };
  if (after.balanceUnits > before.balanceUnits) return fundingEvent(after);
  const [flags, earlier] = [flagsOf(after), flagsOf(before)];
  if (flags.disputed && !earlier.disputed) return { type: 'escrow.disputed', status: 'DISPUTED' };
  if (flags.released && !earlier.released) return { type: 'escrow.released', status: 'RELEASED' };
  if (flags.resolved && !earlier.resolved) return resolutionEvent(after, transfers);
  return payoutEvent(before, after, transfers) ?? milestoneEvent(before, after);
}

function fundingEvent({ balanceUnits, units }: Escrow): EscrowEvent {
  const isFunded = balanceUnits >= units;
  return isFunded ? { type: 'escrow.funded', status: 'FUNDED' } : { type: 'escrow.funding_started', status: 'FUNDING' };
}

/** A resolution that pays the buyer and not the seller is a refund; any other is a release. */
function resolutionEvent({ roles }: Escrow, transfers: ContractEffect['transfers']): EscrowEvent {
  const isPaidTo = (address: string | undefined): boolean => transfers.some(({ to }) => to === address);
  const isRefund = isPaidTo(roles.approver) && !isPaidTo(roles.receiver ?? roles.serviceProvider);
  return isRefund ? { type: 'escrow.refunded', status: 'REFUNDED' } : { type: 'escrow.released', status: 'RELEASED' };
}

/** The dispute or payout of one milestone of a contract that still holds others. */
function payoutEvent(before: Escrow, after: Escrow, transfers: ContractEffect['transfers']): EscrowEvent | undefined {
  const changed = (flag: 'disputed' | 'released' | 'resolved'): number =>
    after.milestones.findIndex(({ flags }, index) => flags[flag] && before.milestones[index]?.flags[flag] === false);
  const [disputed, released, resolved] = [changed('disputed'), changed('released'), changed('resolved')];
  if (disputed !== -1) return { type: 'escrow.disputed', status: 'DISPUTED', milestoneIndex: disputed };
  if (released !== -1) return { type: 'escrow.released', status: 'FUNDED', milestoneIndex: released };
  if (resolved === -1) return undefined;
  return { ...resolutionEvent(after, transfers), status: 'FUNDED', milestoneIndex: resolved };
}

function milestoneEvent(before: Escrow, after: Escrow): EscrowEvent | undefined {
  const milestoneIndex = after.milestones.findIndex((milestone, index) => {
    const earlier = before.milestones[index];
    // The contract also sets the status when a milestone is resolved, which is not the seller's work.
    if (milestone.flags.resolved) return false;
    return milestone.status !== earlier?.status || milestone.evidence !== earlier.evidence;
  });
  return milestoneIndex === -1 ? undefined : { type: 'escrow.milestone_completed', status: 'FUNDED', milestoneIndex };
}

/** The body of the webhook, as the specification defines it. */
export function escrowEventBody(event: EscrowEvent, eventId: string, escrow: Escrow, landed: LandedTransaction): string {
  return JSON.stringify({
    type: event.type,
    event_id: eventId,
    data: {
      contract_id: escrow.contractId,
      order_id: escrow.engagementId,
      status: event.status,
      amount: escrow.units.toString(),
      currency: issuedAsset(escrow.asset)?.code ?? nativeAsset,
      buyer_address: escrow.roles.approver,
      seller_address: escrow.roles.serviceProvider,
      transaction_hash: landed.hash,
      milestone_ref: event.milestoneIndex === undefined ? null : String(event.milestoneIndex),
      created_at: escrow.createdAt,
      updated_at: escrow.updatedAt,
    },
  });
}
