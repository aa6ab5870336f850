import type { Envelope } from '@holdfast/contracts/messages';
import { allSagas, awaitedBy, type Saga } from '@holdfast/contracts/sagas';
import type { ServiceName } from '@holdfast/contracts/services';
import { toEpochMs, type Clock } from '@holdfast/kernel/instants';
import { defineHistogram, withValues, type MetricDeclaration, type Metrics } from '@holdfast/observability';
import type { BoundConsumer } from './consumers.js';

const stepDuration = defineHistogram(
  'holdfast_saga_step_duration_seconds',
  'Time from the message of a saga step to the commit of its handler, queue and retries included',
  {
    labels: { saga: allSagas.map(({ name }) => name), step: 'the steps of the saga that the service handles' },
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300],
  },
);

/** The steps of each saga that the service handles. */
export function sagaStepMetrics(service: ServiceName): readonly MetricDeclaration[] {
  return allSagas.flatMap((saga) => {
    const step = stepsOf(saga, service);
    return step.length === 0 ? [] : [withValues(stepDuration, { saga: [saga.name], step })];
  });
}

function stepsOf({ steps }: Saga, service: ServiceName): readonly string[] {
  const handled = Object.entries(steps).filter(([, step]) => step.by === service && awaitedBy(step).length > 0);
  return handled.map(([name]) => name);
}

/** Measures a handled message that is part of a saga. */
export function createStepMeasurement({
  metrics,
  clock,
}: {
  readonly metrics: Metrics;
  readonly clock: Pick<Clock, 'epochMs'>;
}): (consumer: BoundConsumer, envelope: Envelope) => void {
  const durations = metrics.histogram(stepDuration);
  return ({ saga, step }, { occurredAt }) => {
    if (saga === undefined || step === undefined) return;
    // The clocks of two machines differ by a little, and no step takes less than nothing.
    const tookMs = Math.max(0, clock.epochMs() - toEpochMs(occurredAt));
    durations.observe({ saga, step }, tookMs / 1_000);
  };
}
