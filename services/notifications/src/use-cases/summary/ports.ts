import type { EventRecord } from '@holdfast/contracts/http';
import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type { Currency } from '@holdfast/kernel/money';

/** An audit entry with the states that it reports. */
export type CountedEntry = {
  readonly marketplaceId: MarketplaceId;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
};

export type CountedEvent = Pick<EventRecord, 'eventType' | 'occurredAt' | 'payload' | 'metadata'> & {
  readonly marketplaceId: MarketplaceId;
};

/** Up to where the log and the audit trail were counted. */
export type CountedUntil = { readonly position: bigint; readonly auditPosition: bigint };

/** The next part of the log and of the audit trail, with what the counters depend on. */
export type SummaryBatch = {
  readonly from: CountedUntil;
  readonly until: CountedUntil;
  readonly events: readonly CountedEvent[];
  readonly entries: readonly CountedEntry[];
  readonly isMore: boolean;
};

/** `orders` counts by status, `created` and `volume` by day, `disputes` by `open` and `overdue`. The others have no label. */
export const summaryCounters = ['orders', 'created', 'volume', 'escrow', 'available', 'reserved', 'disputes'] as const;
export type SummaryCounter = (typeof summaryCounters)[number];

export type CountChange = {
  readonly marketplaceId: MarketplaceId;
  readonly counter: SummaryCounter;
  readonly label: string;
  /** Empty for plain counts. */
  readonly currency: Currency | '';
  readonly value: bigint;
};

export type CountedEscrow = {
  readonly orderId: string;
  readonly marketplaceId: MarketplaceId;
  readonly currency: Currency;
  readonly units: bigint;
};
export type MovedEscrow = Pick<CountedEscrow, 'orderId' | 'units'>;
export type CountedDispute = { readonly disputeId: string; readonly marketplaceId: MarketplaceId; readonly isOverdue: boolean };

/** What a batch changes. An order, and a dispute, is in one of its lists only. */
export type SummaryChanges = {
  readonly counts: readonly CountChange[];
  /** Contracts that were created, with what was moved since. */
  readonly createdEscrows: readonly CountedEscrow[];
  /** What was moved into and out of contracts that were created before. */
  readonly movedEscrows: readonly MovedEscrow[];
  readonly closedOrderIds: readonly string[];
  readonly opened: readonly CountedDispute[];
  readonly overdueDisputeIds: readonly string[];
  readonly resolvedDisputeIds: readonly string[];
};

export type SummaryLog = {
  /** Undefined if everything is counted. */
  readonly next: (limit: number, types: readonly string[]) => Promise<SummaryBatch | undefined>;
  /** One commit: the counters, and the positions, which must still be `from`. False if another process has counted the batch. */
  readonly write: (batch: Pick<SummaryBatch, 'from' | 'until'>, changes: SummaryChanges) => Promise<boolean>;
};

export type SummaryPeriod = { readonly fromDay: string; readonly untilDay: string };

export type CountedNumbers = {
  readonly counts: readonly Omit<CountChange, 'marketplaceId'>[];
  readonly failingEndpoints: number;
  /** The oldest event that was counted, if older ones had been dropped before counting began. */
  readonly countedSince: Instant | null;
  /** When the first thing was logged that is not counted yet; undefined if there is none. */
  readonly uncountedSince: Instant | undefined;
};

export type SummaryReader = {
  readonly read: (marketplaceId: MarketplaceId, period: SummaryPeriod) => Promise<CountedNumbers>;
};
