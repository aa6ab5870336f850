import { createMetrics, defineCounter, defineHistogram, mergedMetrics } from '@holdfast/observability';
import { collectingLog } from '@holdfast/testing/log';
import { startOperationsServer, type Listener, type Readiness } from './index.js';

const jobs = defineCounter('holdfast_jobs_total', 'Jobs.', { outcome: ['done'] });
const items = defineHistogram('holdfast_batch_items', 'Items.', { buckets: [1, 10] });

let server: Listener;
let readiness: Readiness = {};

beforeAll(async () => {
  const parts = ['orders', 'payments'].map((service) => createMetrics({ service, processMetrics: service === 'orders' }));
  for (const metrics of parts) {
    metrics.counter(jobs).inc({ outcome: 'done' });
    metrics.histogram(items).observe(5);
  }
  const metrics = () => mergedMetrics(parts.map(({ registry }) => registry));
  server = await startOperationsServer({
    host: '127.0.0.1',
    port: 0,
    log: collectingLog(),
    readiness: () => readiness,
    metrics,
  });
});
afterAll(() => server.stop());

async function get(path: string) {
  const response = await fetch(`${server.url}${path}`);
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') };
}

describe('the operations server', () => {
  it('200 at /livez without a caller token', async () => {
    expect(await get('/livez')).toMatchObject({ status: 200, text: '{"status":"alive"}' });
  });

  it('200 at /metrics with the metrics of all parts, each name declared once', async () => {
    const { status, text, type } = await get('/metrics');
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    for (const service of ['orders', 'payments']) {
      expect(text).toContain(`holdfast_jobs_total{outcome="done",service="${service}"} 1`);
      expect(text).toContain(`holdfast_batch_items_bucket{le="10",service="${service}"} 1`);
      expect(text).toContain(`holdfast_batch_items_sum{service="${service}"} 5`);
    }
    expect(text.match(/^# TYPE holdfast_jobs_total counter$/gm)).toHaveLength(1);
    expect(text).toMatch(/^process_start_time_seconds\{service="orders"\} \d/m);
  });

  it('503 at /readyz with the part that is down or does not answer, 200 when all are up', async () => {
    readiness = {
      database: () => Promise.reject(new Error('no')),
      broker: () => Promise.resolve(),
      other: () => new Promise<void>(() => undefined),
    };
    const { status, text } = await get('/readyz');
    expect({ status, body: JSON.parse(text) }).toEqual({
      status: 503,
      body: { status: 'not ready', parts: { database: 'down', broker: 'up', other: 'does not answer' } },
    });
    readiness = { broker: () => Promise.resolve() };
    expect(await get('/readyz')).toMatchObject({ status: 200, text: '{"status":"ready","parts":{"broker":"up"}}' });
  });

  it('404 NOT_FOUND elsewhere', async () => {
    expect((await get('/api/v1/health')).status).toBe(404);
  });
});
