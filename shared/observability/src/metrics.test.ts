import { createMetrics } from './index.js';

describe('metrics', () => {
  it('have the name of the service as a label', async () => {
    const metrics = createMetrics({ service: 'orders', processMetrics: false });
    metrics.counter('sagas_total', 'Sagas by outcome.', ['outcome']).inc({ outcome: 'done' }, 2);
    expect(await metrics.registry.metrics()).toContain('sagas_total{outcome="done",service="orders"} 2');
  });

  it('are created once per name', () => {
    const metrics = createMetrics({ service: 'orders', processMetrics: false });
    expect(metrics.gauge('holdfast_outbox_lag_seconds', 'Age.')).toBe(metrics.gauge('holdfast_outbox_lag_seconds', 'Age.'));
  });

  it('count each measurement in its bucket', async () => {
    const metrics = createMetrics({ service: 'orders', processMetrics: false });
    const sizes = metrics.histogram('batch_items', 'Items.', { labels: ['queue'], buckets: [1, 10] });
    for (const size of [1, 5, 50]) sizes.observe({ queue: 'a' }, size);
    expect(await metrics.registry.metrics()).toContain('batch_items_bucket{le="10",service="orders",queue="a"} 2');
  });

  it('of two services in one process are separate', async () => {
    const [one, other] = ['orders', 'payments'].map((service) => createMetrics({ service, processMetrics: false }));
    one?.counter('jobs_total', 'Jobs.').inc();
    expect(await other?.registry.metrics()).not.toContain('jobs_total');
  });

  it('include process metrics if requested', async () => {
    const metrics = createMetrics({ service: 'orders', processMetrics: true });
    expect(await metrics.registry.metrics()).toContain('process_resident_memory_bytes');
  });
});
