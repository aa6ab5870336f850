import type { Metrics } from '@holdfast/observability';
import type { IntentStore } from './intent-store.js';

/** A job of the service. */
export type IntentJob = {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (signal: AbortSignal) => Promise<void>;
};

const measureEveryMs = 15_000;

/** Measures the open intents: their number, their age, and how many are past their point of no return. */
export function openIntentsMeasurement(intents: Pick<IntentStore, 'countOpen'>, metrics: Metrics): IntentJob {
  const open = metrics.gauge('holdfast_intents_open', 'Open intents', ['kind']);
  const pastNoReturnGauge = metrics.gauge('holdfast_intents_past_no_return', 'Open intents past their point of no return', [
    'kind',
  ]);
  const oldest = metrics.gauge('holdfast_intents_oldest_age_seconds', 'Age of the oldest open intent', ['kind']);
  return {
    name: 'measure-intents',
    everyMs: measureEveryMs,
    run: async () => {
      for (const gauge of [open, pastNoReturnGauge, oldest]) gauge.reset();
      for (const { kind, count, pastNoReturn, oldestSeconds } of await intents.countOpen()) {
        open.set({ kind }, count);
        pastNoReturnGauge.set({ kind }, pastNoReturn);
        oldest.set({ kind }, oldestSeconds);
      }
    },
  };
}
