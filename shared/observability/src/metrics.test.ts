import { createMetrics, defineCounter, defineGauge, defineHistogram, withValues } from './index.js';

const runs = defineCounter('holdfast_runs_total', 'Runs.', { job: ['sweep', 'prune'], outcome: ['done', 'failed'] });
const lag = defineGauge('holdfast_lag_seconds', 'Age.');
const sizes = defineHistogram('holdfast_batch_items', 'Items.', { labels: { queue: 'any queue' }, buckets: [1, 10] });

function create(service = 'orders') {
  const metrics = createMetrics({ service, processMetrics: false });
  return { ...metrics, text: () => metrics.registry.metrics() };
}

describe('metrics', () => {
  it('have the name of the service as a label', async () => {
    const { counter, text } = create();
    counter(runs).inc({ job: 'sweep', outcome: 'done' }, 2);
    expect(await text()).toContain('holdfast_runs_total{job="sweep",outcome="done",service="orders"} 2');
  });

  it('are created once per name', () => {
    const { gauge } = create();
    expect(gauge(lag)).toBe(gauge(defineGauge('holdfast_lag_seconds', 'Age.')));
  });

  it('count each measurement in its bucket', async () => {
    const { histogram, text } = create();
    for (const size of [1, 5, 50]) histogram(sizes).observe({ queue: 'a' }, size);
    expect(await text()).toContain('holdfast_batch_items_bucket{le="10",service="orders",queue="a"} 2');
  });

  it('have a sample of zero for every combination of listed label values', async () => {
    const { register, text } = create();
    register([runs, lag, withValues(sizes, { queue: ['a', 'b'] })]);
    const lines = (await text()).split('\n');
    expect(lines.filter((line) => line.startsWith('holdfast_runs_total{') && line.endsWith(' 0'))).toHaveLength(4);
    expect(lines).toContain('holdfast_lag_seconds{service="orders"} 0');
    expect(lines.filter((line) => line.startsWith('holdfast_batch_items_count{') && line.endsWith(' 0'))).toHaveLength(2);
  });

  it('have no sample before the first one where a label lists no values', async () => {
    const { register, text } = create();
    register([sizes]);
    expect(await text()).toMatch(/# TYPE holdfast_batch_items histogram\n(#|\n|$)/);
  });

  it('are measured when they are read', async () => {
    const { gauge, onRead, text } = create();
    const age = gauge(lag);
    onRead(() => age.inc());
    expect(await text()).toContain('holdfast_lag_seconds{service="orders"} 1');
    expect(await text()).toContain('holdfast_lag_seconds{service="orders"} 2');
  });

  it('are served with the last values where a measurement takes too long', async () => {
    const { gauge, beforeServed, measure, text } = create();
    const age = gauge(lag);
    beforeServed(() => {
      age.set(3);
      return Promise.resolve();
    });
    beforeServed(() => new Promise(() => undefined));
    jest.useFakeTimers();
    const measured = measure();
    await jest.advanceTimersByTimeAsync(2_000);
    jest.useRealTimers();
    await measured;
    expect(await text()).toContain('holdfast_lag_seconds{service="orders"} 3');
  });

  it('of two services in one process are separate', async () => {
    const [one, other] = [create(), create('payments')];
    one.counter(runs).inc({ job: 'sweep', outcome: 'done' });
    expect(await other.text()).not.toContain('holdfast_runs_total');
  });

  it('name the version of the platform and of Node', async () => {
    expect(await create().text()).toMatch(/holdfast_build_info\{version="\d+\.\d+\.\d+",node="\d+[^"]*",service="orders"\} 1/);
  });

  it('include process metrics if requested, without gauges that are named like counters', async () => {
    const text = await createMetrics({ service: 'orders', processMetrics: true }).registry.metrics();
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain('nodejs_active_handles_total');
  });
});
