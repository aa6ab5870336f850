import { performance } from 'node:perf_hooks';
import type { Log } from '@holdfast/kernel/context';
import type { IntentStore } from './intent-store.js';
import { LeaseLost, type Intent } from './intent.js';

/** An intent that this process runs. */
export type Running = {
  readonly intent: Intent;
  /** Aborted when the worker stops and when the lease is lost. */
  readonly stopping: AbortController;
  /** Aborts the run when the lease was not renewed in time. */
  expiring: NodeJS.Timeout;
  isWoken: boolean;
};

type RunningIntents = {
  readonly running: ReadonlyMap<string, Running>;
  readonly store: Pick<IntentStore, 'leaseMs' | 'renew'>;
  readonly log: Log;
};

/** Aborts the runs whose lease was lost, because another process may have claimed the intent. */
export async function renewLeases({ running, store, log }: RunningIntents): Promise<void> {
  const current = [...running.values()];
  if (current.length === 0) return;
  const startedAtMs = performance.now();
  const renewed = await store.renew(current.map(({ intent }) => intent));
  for (const own of current.filter(({ intent }) => running.has(intent.id))) {
    clearTimeout(own.expiring);
    if (renewed.has(own.intent.id)) own.expiring = abortAtExpiry({ store, log }, own, startedAtMs);
    else own.stopping.abort(new LeaseLost(own.intent.id));
  }
}

/** A run is aborted when only the last third of its lease is left. */
const usedPartMax = 2 / 3;

/** If renewals fail or hang, a run must stop before another process may claim its intent. */
export function abortAtExpiry(
  { store, log }: Pick<RunningIntents, 'store' | 'log'>,
  { intent, stopping }: Pick<Running, 'intent' | 'stopping'>,
  renewedAtMs: number,
): NodeJS.Timeout {
  const abort = (): void => {
    if (stopping.signal.aborted) return;
    log.warn({ intentId: intent.id, kind: intent.kind }, 'the lease of an intent was not renewed in time; its run is aborted');
    stopping.abort(new LeaseLost(intent.id));
  };
  const leftMs = renewedAtMs + store.leaseMs * usedPartMax - performance.now();
  return setTimeout(abort, Math.max(0, leftMs)).unref();
}
