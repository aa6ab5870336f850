import { AppError } from '@holdfast/kernel/errors';
import { createMetrics } from '@holdfast/observability';
import { silentLog } from '@holdfast/testing/log';
import { createMeasurement } from './metrics.js';
import { ServiceUnreachable } from './service-unreachable.js';
import { createUpstreamBreaker } from './upstream-breaker.js';

function aBreaker() {
  const metrics = createMetrics({ service: 'gateway', processMetrics: false });
  let nowMs = 0;
  const breaker = createUpstreamBreaker({
    upstream: 'orders',
    log: silentLog,
    measurement: createMeasurement(metrics),
    now: () => nowMs,
  });
  const sample = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name}\\{.*upstream="orders".*\\} (.*)$`, 'm').exec(await metrics.registry.metrics())?.[1]);
  const failure = (reason: string) =>
    metrics.registry
      .metrics()
      .then((text) =>
        text
          .split('\n')
          .find((line) => line.includes('upstream_failures') && line.includes(`"${reason}"`) && line.includes('"orders"')),
      );
  return { breaker, sample, failure, pass: (ms: number) => void (nowMs += ms) };
}

const fails = (error: Error) => () => Promise.reject(error);
const responds = (onResponse: () => void) => {
  onResponse();
  return Promise.resolve('response');
};

async function failTenTimes({ run }: ReturnType<typeof createUpstreamBreaker>, error: Error): Promise<void> {
  for (let count = 0; count < 10; count += 1) await expect(run(fails(error))).rejects.toBe(error);
}

describe('the breaker of a service', () => {
  it('opens after ten requests in a row without a connection, and then sends none', async () => {
    const { breaker, sample, failure } = aBreaker();
    await failTenTimes(breaker, new ServiceUnreachable());
    let sent = 0;
    await expect(breaker.run(() => Promise.resolve((sent += 1)))).rejects.toBeInstanceOf(ServiceUnreachable);
    expect([sent, await sample('holdfast_gateway_upstream_breaker_open')]).toEqual([0, 1]);
    expect([await failure('unreachable'), await failure('breaker')].map((line) => line?.split(' ').at(-1))).toEqual(['10', '1']);
  });

  it('lets one request try after half a second, and closes when its response begins', async () => {
    const { breaker, sample, pass } = aBreaker();
    await failTenTimes(breaker, new ServiceUnreachable());
    pass(500);
    let respond: () => void = () => undefined;
    const endless = breaker.run((onResponse) => new Promise<void>(() => (respond = onResponse)));
    await expect(breaker.run(responds)).rejects.toBeInstanceOf(ServiceUnreachable);
    respond();
    expect(await breaker.run(responds)).toBe('response');
    expect(await sample('holdfast_gateway_upstream_breaker_open')).toBe(0);
    expect(await sample('holdfast_gateway_upstream_duration_seconds_count')).toBe(2);
    expect(endless).toBeInstanceOf(Promise);
  });

  it('stays closed while a service responds late or in between', async () => {
    const { breaker, sample, failure } = aBreaker();
    await failTenTimes(breaker, new AppError('PROVIDER_TIMEOUT'));
    for (let count = 0; count < 9; count += 1) await expect(breaker.run(fails(new ServiceUnreachable()))).rejects.toThrow();
    await breaker.run(responds);
    await expect(breaker.run(fails(new ServiceUnreachable()))).rejects.toThrow();
    expect(await breaker.run(responds)).toBe('response');
    expect(await sample('holdfast_gateway_upstream_breaker_open')).toBe(0);
    expect(await failure('timeout')).toMatch(/ 10$/);
  });
});
