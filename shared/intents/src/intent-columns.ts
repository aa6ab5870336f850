import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId, MessageId, SagaRunId } from '@holdfast/kernel/ids';
import { columnsOf } from '@holdfast/postgres';
import type { WorkerState } from './intent.js';

/** The columns that a worker reads. */
export type IntentRow = {
  readonly id: MessageId;
  readonly kind: string;
  readonly subject: string;
  /** Empty for the whole subject. */
  readonly subjectPart: string;
  readonly priority: number;
  readonly marketplaceId: MarketplaceId;
  readonly correlationId: string;
  readonly saga: string | null;
  readonly sagaRunId: SagaRunId | null;
  readonly afterEventId: MessageId | null;
  readonly traceparent: string | null;
  readonly requestedAt: Instant;
  readonly payload: unknown;
  readonly workerState: WorkerState;
  readonly attempts: number;
  readonly leaseToken: number;
  readonly createdAt: Instant;
};

export const intentColumns = columnsOf<IntentRow>()({
  id: { column: 'id', type: 'text', isPrimary: true },
  kind: { column: 'kind', type: 'text' },
  subject: { column: 'subject', type: 'text' },
  subjectPart: { column: 'subject_part', type: 'text' },
  priority: { column: 'priority', type: 'integer' },
  marketplaceId: { column: 'marketplace_id', type: 'text' },
  correlationId: { column: 'correlation_id', type: 'text' },
  saga: { column: 'saga', type: 'text' },
  sagaRunId: { column: 'saga_run_id', type: 'text' },
  afterEventId: { column: 'after_event_id', type: 'text' },
  traceparent: { column: 'traceparent', type: 'text' },
  requestedAt: { column: 'requested_at', type: 'timestamptz' },
  payload: { column: 'payload', type: 'jsonb' },
  workerState: { column: 'worker_state', type: 'jsonb' },
  attempts: { column: 'attempts', type: 'integer' },
  leaseToken: { column: 'lease_token', type: 'integer' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
});
