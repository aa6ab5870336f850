import { defineGauge, withValues, type MetricDeclaration, type Metrics } from '@holdfast/observability';
import { measureEveryMs, type Job } from '@holdfast/work';
import type { IntentStore } from './intent-store.js';

const kind = 'the kinds of intents of the service';
const intentsOpen = defineGauge('holdfast_intents_open', 'Open intents', { kind });
const intentsPastNoReturn = defineGauge('holdfast_intents_past_no_return', 'Open intents past their point of no return', {
  kind,
});
const intentsOldestAge = defineGauge('holdfast_intents_oldest_age_seconds', 'Age of the oldest open intent', { kind });
const declared = [intentsOpen, intentsPastNoReturn, intentsOldestAge] as const;

/** The metrics of a service with intents of these kinds. */
export function intentMetrics(kinds: readonly string[]): readonly MetricDeclaration[] {
  return declared.map((declaration) => withValues(declaration, { kind: kinds }));
}

/** Measures the open intents: their number, their age, and how many are past their point of no return. */
export function openIntentsMeasurement(
  intents: Pick<IntentStore, 'countOpen'>,
  { kinds, metrics }: { readonly kinds: readonly string[]; readonly metrics: Metrics },
): Job {
  const open = metrics.gauge(intentsOpen);
  const pastNoReturn = metrics.gauge(intentsPastNoReturn);
  const oldest = metrics.gauge(intentsOldestAge);
  return {
    name: 'measure-intents',
    everyMs: measureEveryMs,
    isMeasurement: true,
    run: async () => {
      const counted = new Map((await intents.countOpen()).map((found) => [found.kind, found]));
      for (const name of kinds) {
        const found = counted.get(name);
        open.set({ kind: name }, found?.count ?? 0);
        pastNoReturn.set({ kind: name }, found?.pastNoReturn ?? 0);
        oldest.set({ kind: name }, found?.oldestSeconds ?? 0);
      }
    },
  };
}
