import type { CaseStatus } from '@holdfast/contracts/http';
import type { CaseAction, CaseKind, CaseOrigin } from '@holdfast/contracts/messages';
import type { Instant } from '@holdfast/kernel/context';
import type { CaseId, UserId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import type { Aggregate } from './aggregate.js';

export type CaseResolution = {
  readonly action: CaseAction;
  readonly note: string;
  readonly requestedBy: string;
  readonly approvedBy: string | null;
  readonly resolvedAt: Instant | null;
};

/** Money that belongs to no operation, or a difference that nothing explains. */
export type Case = Aggregate & {
  readonly id: CaseId;
  readonly kind: CaseKind;
  readonly status: CaseStatus;
  readonly userId: UserId | null;
  /** Negative if more left than was booked. */
  readonly amount: Money;
  /** The external account of the ledger that the money came from or went to. */
  readonly origin: CaseOrigin;
  /** Where it was found, and its id there. */
  readonly source: string;
  readonly sourceId: string;
  readonly reason: string;
  readonly relatedId: string | null;
  readonly resolution: CaseResolution | null;
  readonly providerPayoutId: string | null;
  readonly bookedAt: Instant | null;
};

export type NewCase = Pick<
  Case,
  'kind' | 'marketplaceId' | 'userId' | 'amount' | 'origin' | 'source' | 'sourceId' | 'reason' | 'relatedId'
>;
