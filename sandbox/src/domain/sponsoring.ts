import { OperationFailure } from './operation-failure.js';

export type SponsoringOperation =
  | { readonly kind: 'begin_sponsoring'; readonly source: string; readonly sponsored: string }
  | { readonly kind: 'end_sponsoring'; readonly source: string };

/** Sponsors by the account whose new reserves they pay. It lasts for one transaction, in which each begin must have its end. */
export type Sponsorships = Map<string, string>;

export function applySponsoring(sponsorships: Sponsorships, operation: SponsoringOperation): void {
  if (operation.kind === 'begin_sponsoring') begin(sponsorships, operation.source, operation.sponsored);
  else if (!sponsorships.delete(operation.source)) throw new OperationFailure('op_not_sponsored');
}

/** The sponsored account need not exist yet. */
function begin(sponsorships: Sponsorships, sponsor: string, sponsored: string): void {
  if (sponsor === sponsored) throw new OperationFailure('op_malformed');
  if (sponsorships.has(sponsored)) throw new OperationFailure('op_already_sponsored');
  const isChain = sponsorships.has(sponsor) || [...sponsorships.values()].includes(sponsored);
  if (isChain) throw new OperationFailure('op_recursive');
  sponsorships.set(sponsored, sponsor);
}
