import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId, MessageId, SagaRunId } from '@holdfast/kernel/ids';

/** The sagas that this service starts. */
export const sagaNames = [
  'top-up',
  'withdraw',
  'settle-withdrawal',
  'free-withdrawal',
  'ledger-payout',
  'open-case',
  'resolve-case',
] as const;
export type SagaName = (typeof sagaNames)[number];

/** Who caused a change. */
export type Actor = { readonly type: string; readonly id: string };

/** The open saga run of a top-up, withdrawal or case. Only one run at a time acts on it. */
export type ActiveRun = {
  readonly runId: SagaRunId;
  readonly saga: SagaName;
  readonly actor: Actor;
  /** The ids of the run's messages begin with this time. */
  readonly startedAt: Instant;
};

/** What top-ups, withdrawals and cases have in common. */
export type Aggregate = {
  readonly id: string;
  readonly marketplaceId: MarketplaceId;
  readonly status: string;
  readonly activeRun: ActiveRun | null;
  /** Counts the public events. */
  readonly version: number;
  /** The predecessor of the next event. */
  readonly lastEventId: MessageId | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};
