import { createMetrics } from './index.js';

describe('metrics', () => {
  it('carry the name of the service', async () => {
    const metrics = createMetrics({ service: 'orders', processMetrics: false });
    metrics.counter('sagas_total', 'Sagas by outcome.', ['outcome']).inc({ outcome: 'done' }, 2);
    expect(await metrics.registry.metrics()).toContain('sagas_total{outcome="done",service="orders"} 2');
  });

  it('are made once, however often they are asked for', () => {
    const metrics = createMetrics({ service: 'orders', processMetrics: false });
    expect(metrics.gauge('outbox_lag_seconds', 'Age.')).toBe(metrics.gauge('outbox_lag_seconds', 'Age.'));
  });

  it('count a measurement as soon as somebody looks, and each one once', async () => {
    const metrics = createMetrics({ service: 'orders', processMetrics: false });
    const sizes = metrics.histogram('batch_items', 'Items.', { labels: ['lane'], buckets: [1, 10] });
    for (let count = 1; count <= 600; count += 1) sizes.observe(5, { lane: 'a' });
    const looks = [await metrics.registry.metrics(), await metrics.registry.metrics()];
    for (const look of looks) expect(look).toContain('batch_items_bucket{le="10",service="orders",lane="a"} 600');
  });

  it('of two services in one process stay apart', async () => {
    const [one, other] = ['orders', 'payments'].map((service) => createMetrics({ service, processMetrics: false }));
    one?.counter('jobs_total', 'Jobs.').inc();
    expect(await other?.registry.metrics()).not.toContain('jobs_total');
  });

  it('include those of the process where that is wanted', async () => {
    const metrics = createMetrics({ service: 'orders', processMetrics: true });
    expect(await metrics.registry.metrics()).toContain('process_resident_memory_bytes');
  });
});
