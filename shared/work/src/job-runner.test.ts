import { createMetrics } from '@holdfast/observability';
import { eventually } from '@holdfast/testing/eventually';
import { collectingLog } from '@holdfast/testing/log';
import { createJobRunner, type Job } from './job-runner.js';

function running(job: Omit<Job, 'name' | 'everyMs'> & Partial<Job>) {
  const log = collectingLog();
  const metrics = createMetrics({ service: 'test', processMetrics: false });
  const runner = createJobRunner({ log, metrics });
  runner.start([{ name: 'sweep', everyMs: 10, ...job }]);
  return { log, metrics, runner };
}

const hourMs = 3_600_000;

describe('a job', () => {
  it('runs repeatedly without overlap', async () => {
    let [runs, active, activeMax] = [0, 0, 0];
    const { runner, metrics } = running({
      run: async () => {
        active += 1;
        activeMax = Math.max(activeMax, active);
        await new Promise((resolve) => setTimeout(resolve, 30));
        active -= 1;
        runs += 1;
      },
    });
    await eventually(() => expect(runs).toBeGreaterThan(2));
    await runner.stop();
    expect(activeMax).toBe(1);
    expect(await metrics.registry.metrics()).toMatch(/holdfast_job_runs_total\{name="sweep",outcome="done",.*\} [3-9]/);
  });

  it('runs again after a failure, which is logged and counted', async () => {
    let runs = 0;
    const { runner, log, metrics } = running({
      run: async () => {
        runs += 1;
        if (runs === 1) throw new Error('once');
      },
    });
    await eventually(() => expect(runs).toBeGreaterThan(1));
    await runner.stop();
    expect(log.lines).toEqual([{ level: 'error', fact: 'job failed', fields: expect.objectContaining({ job: 'sweep' }) }]);
    expect(await metrics.registry.metrics()).toMatch(/outcome="failed",.*\} 1/);
  });

  it('has its signal aborted at the time limit', async () => {
    const { runner, log } = running({ timeoutMs: 20, run: (signal) => untilAborted(signal) });
    await eventually(() => expect(log.lines.length).toBeGreaterThan(0));
    await runner.stop();
    expect(log.lines[0]).toMatchObject({ fact: 'job failed', fields: { error: { name: 'TimeoutError' } } });
  });

  it('has its signal aborted when the runner stops, which waits for it', async () => {
    let hasEnded = false;
    let hasStarted = false;
    const { runner, log } = running({
      run: async (signal) => {
        hasStarted = true;
        await untilAborted(signal).catch(() => undefined);
        hasEnded = true;
      },
    });
    await eventually(() => expect(hasStarted).toBe(true));
    await runner.stop();
    expect(hasEnded).toBe(true);
    expect(log.lines).toEqual([]);
  });
});

describe('a job that waits for due rows', () => {
  it('runs when the next row is due, not only when its interval has passed', async () => {
    let runs = 0;
    const count = () => Promise.resolve(void (runs += 1));
    const { runner } = running({ everyMs: hourMs, run: count, nextDueInMs: () => Promise.resolve(runs < 3 ? 10 : undefined) });
    runner.wake('sweep');
    await eventually(() => expect(runs).toBe(3));
    await runner.stop();
  });

  it('runs soon again after a failure', async () => {
    let runs = 0;
    const failOnce = () => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('once')) : Promise.resolve();
    };
    const { runner } = running({ everyMs: hourMs, run: failOnce, nextDueInMs: () => Promise.resolve(undefined) });
    runner.wake('sweep');
    await eventually(() => expect(runs).toBe(2));
    await runner.stop();
  });
});

describe('a look', () => {
  function looking(dueInMs: () => number | undefined) {
    let [runs, looks] = [0, 0];
    const { runner } = running({
      everyMs: 20,
      run: () => Promise.resolve(void (runs += 1)),
      nextDueInMs: () => {
        looks += 1;
        return Promise.resolve(dueInMs());
      },
    });
    return { runner, runs: () => runs, looks: () => looks };
  }

  it('happens at the start and then at the interval, and runs the job only if a row is due', async () => {
    let isDue = false;
    const { runner, runs, looks } = looking(() => (isDue ? -1 : undefined));
    await eventually(() => expect(looks()).toBeGreaterThan(3));
    expect(runs()).toBe(0);
    isDue = true; // a dead process left it
    await eventually(() => expect(runs()).toBeGreaterThan(0));
    await runner.stop();
  });

  it('happens in the same turn as another job that would follow soon', async () => {
    const turns: Set<string>[] = [];
    let turn: Set<string> | undefined;
    const endTurn = (): void => {
      turn = undefined;
    };
    const looking = (name: string, everyMs: number): Job => ({
      name,
      everyMs,
      run: () => Promise.resolve(),
      nextDueInMs: () => {
        if (turn === undefined) {
          turns.push((turn = new Set()));
          queueMicrotask(endTurn);
        }
        turn.add(name);
        return Promise.resolve(undefined);
      },
    });
    const runner = createJobRunner({ log: collectingLog() });
    runner.start([looking('outbox', 200), looking('intents', 220), looking('reports', hourMs)]);
    await eventually(() => expect(turns.length).toBeGreaterThan(3));
    await runner.stop();
    const [first, ...others] = turns;
    expect(first).toEqual(new Set(['outbox', 'intents', 'reports']));
    expect(others.slice(0, 3)).toEqual(others.slice(0, 3).map(() => new Set(['outbox', 'intents'])));
  });

  it('does not spin on due rows that the job cannot take', async () => {
    let looks = 0;
    const job = { run: () => Promise.resolve(), nextDueInMs: () => Promise.resolve((looks += 1) * 0) };
    const { runner } = running({ ...job, everyMs: hourMs, pauseMsMin: hourMs });
    await eventually(() => expect(looks).toBe(2)); // before the run and after it
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(looks).toBe(2);
    await runner.stop();
  });
});

describe('a measurement', () => {
  it('runs before the metrics are served, not more often than its interval, and at no other time', async () => {
    let runs = 0;
    const { runner, metrics } = running({ isMeasurement: true, run: () => Promise.resolve(void (runs += 1)) });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(runs).toBe(0);
    await metrics.measure();
    expect(runs).toBe(1);
    await eventually(async () => {
      await metrics.measure();
      expect(runs).toBe(2);
    });
    const long = running({ isMeasurement: true, everyMs: hourMs, run: () => Promise.resolve(void (runs += 1)) });
    await Promise.all([long.metrics.measure(), long.metrics.measure()]);
    await long.metrics.measure();
    expect(runs).toBe(3);
    await Promise.all([runner.stop(), long.runner.stop()]);
    expect(await metrics.registry.metrics()).toMatch(/holdfast_job_runs_total\{name="sweep",outcome="done",.*\} 2/);
  });

  it('that fails is counted, and the metrics are still served', async () => {
    const { runner, metrics, log } = running({ isMeasurement: true, run: () => Promise.reject(new Error('no database')) });
    await metrics.measure();
    await runner.stop();
    expect(log.lines).toEqual([{ level: 'error', fact: 'job failed', fields: expect.objectContaining({ job: 'sweep' }) }]);
    expect(await metrics.registry.metrics()).toMatch(/outcome="failed",.*\} 1/);
  });
});

describe('a wake-up', () => {
  it('starts a run now', async () => {
    let runs = 0;
    const { runner } = running({ everyMs: hourMs, run: () => Promise.resolve(void (runs += 1)) });
    runner.wake('sweep');
    await eventually(() => expect(runs).toBe(1));
    await runner.stop();
  });

  it('that arrives during a run starts another one after it', async () => {
    let runs = 0;
    const { runner } = running({
      everyMs: hourMs,
      run: async () => {
        runs += 1;
        if (runs === 1) runner.wake('sweep');
        await Promise.resolve();
      },
    });
    runner.wake('sweep');
    await eventually(() => expect(runs).toBe(2));
    await runner.stop();
  });

  it('that arrives before the start is not lost', async () => {
    let runs = 0;
    const runner = createJobRunner({ log: collectingLog(), metrics: createMetrics({ service: 'test', processMetrics: false }) });
    runner.wake('sweep');
    runner.start([{ name: 'sweep', everyMs: hourMs, run: () => Promise.resolve(void (runs += 1)) }]);
    await eventually(() => expect(runs).toBe(1));
    await runner.stop();
  });

  it('of an unknown job is refused', async () => {
    const { runner } = running({ run: () => Promise.resolve() });
    expect(() => runner.wake('sweeep')).toThrow('There is no job sweeep.');
    await runner.stop();
  });
});

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
}
