import type { Dispute, DisputesResolveInput, Order } from '@holdfast/sdk';
import { amountOf, unitsOf } from '../../data/format-amount.js';

export const decisions = ['FULL_RELEASE', 'FULL_REFUND', 'SPLIT'] as const;
export type Decision = (typeof decisions)[number];

/** What a person has chosen. `toSeller` counts for a split only. */
export type Choice = { readonly decision: Decision; readonly toSeller: string; readonly note: string };

/** The amount that the dispute touches: of one milestone, or of the order. Undefined while the order is not known. */
export function disputedAmount(dispute: Pick<Dispute, 'milestoneRef'>, order: Order | undefined): string | undefined {
  if (dispute.milestoneRef === null) return order?.amounts.disputed;
  return order?.milestones.find(({ ref }) => ref === dispute.milestoneRef)?.amount;
}

const amountForm = /^\d{1,12}(\.\d{1,7})?$/;

/** The body of the request; undefined while an amount is missing, or is not a part of the disputed amount. */
export function resolutionBody(
  { decision, toSeller, note }: Choice,
  disputed: string | undefined,
): DisputesResolveInput | undefined {
  const remark = note.trim() === '' ? {} : { note: note.trim() };
  if (decision !== 'SPLIT') return { decision, ...remark };
  if (disputed === undefined || !amountForm.test(toSeller)) return undefined;
  const rest = unitsOf(disputed) - unitsOf(toSeller);
  if (rest < 0n) return undefined;
  return { decision, releaseAmount: amountOf(unitsOf(toSeller)), refundAmount: amountOf(rest), ...remark };
}
