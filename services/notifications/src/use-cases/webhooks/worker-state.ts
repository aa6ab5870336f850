import type { Semaphore } from '@holdfast/kernel/async';
import type { WebhookDeliveryId, WebhookEndpointId } from '@holdfast/kernel/ids';
import type { HeldEndpoint } from './held-endpoint.js';
import type { FinishedAttempt } from './settle-attempts.js';
import type { DueDelivery, WorkerDeps } from './worker-ports.js';

export type WorkerOptions = WorkerDeps & {
  /** A process that dies keeps its endpoints for so long. */
  readonly leaseMs: number;
  /** How long attempts in flight may take when the process stops. */
  readonly drainMs: number;
  /** Tracks work that is not awaited. */
  readonly background: (work: Promise<void>) => void;
  /** Something is due in so many milliseconds. */
  readonly dueIn: (ms: number) => void;
};

/** What the worker of a process has in memory. */
export type WorkerState = {
  readonly options: WorkerOptions;
  readonly held: Map<WebhookEndpointId, HeldEndpoint>;
  /** Deliveries in memory that have a row, in which their outcome is not committed. */
  readonly known: Set<WebhookDeliveryId>;
  finished: FinishedAttempt[];
  dropped: DueDelivery[];
  readonly places: { readonly all: Semaphore; readonly strained: Semaphore };
  readonly stopping: AbortController;
  /** There is work for another turn. */
  readonly wantTurn: () => void;
  isClaiming: boolean;
  whenClaimed: (() => void)[];
  turn: Promise<void> | undefined;
  isTurnWanted: boolean;
  /** In the time of `performance.now()`. */
  turnBegunAtMs: number;
  isStopped: boolean;
};

/** An attempt takes 15 s at most. */
export const attemptMsMax = 16_000;
