import type { Log } from '@holdfast/kernel/context';
import { createLifecycle } from './create-lifecycle.js';

function aLog() {
  const facts: string[] = [];
  const logLine = (fields: { readonly part?: string; readonly work?: string }, fact: string) =>
    void facts.push([fact, fields.part ?? fields.work].filter((word) => word !== undefined).join(': '));
  const log: Log = { debug: logLine, info: logLine, warn: logLine, error: logLine, child: () => log };
  return { log, facts };
}

const never = () => new Promise<void>(() => undefined);

describe('stopping', () => {
  it('stops parts in reverse order, one after the other, and only once', async () => {
    const order: string[] = [];
    const lifecycle = createLifecycle({ log: aLog().log });
    for (const name of ['database', 'relay', 'http']) {
      lifecycle.onStop(name, async () => {
        order.push(`${name} stops`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} stopped`);
      });
    }

    await Promise.all([lifecycle.stop('first'), lifecycle.stop('second')]);

    expect(order).toEqual(['http stops', 'http stopped', 'relay stops', 'relay stopped', 'database stops', 'database stopped']);
  });

  it('aborts the signal before any part stops', async () => {
    const lifecycle = createLifecycle({ log: aLog().log });
    lifecycle.onStop('http', async () => expect(lifecycle.signal.aborted).toBe(true));
    expect(lifecycle.signal.aborted).toBe(false);
    await lifecycle.stop('test');
  });

  it('is announced first: only the second phase aborts the signal, and each phase happens once', async () => {
    const lifecycle = createLifecycle({ log: aLog().log, stopTimeoutMs: 10_000 });
    const announced = jest.fn();
    lifecycle.stopAnnounced.addEventListener('abort', announced);
    lifecycle.announceStop('test');
    expect([lifecycle.stopAnnounced.aborted, lifecycle.signal.aborted]).toEqual([true, false]);
    await lifecycle.stop('test');
    expect([announced.mock.calls.length, lifecycle.signal.aborted]).toEqual([1, true]);
    expect(lifecycle.stopGraceMs).toBeLessThan(lifecycle.drainTimeoutMs);
    expect(lifecycle.drainTimeoutMs).toBeLessThan(10_000);
  });

  it('stops the other parts within the time limit when a part fails or hangs', async () => {
    const { log, facts } = aLog();
    const lifecycle = createLifecycle({ log, stopTimeoutMs: 500 });
    const stopped = jest.fn(async () => undefined);
    lifecycle.onStop('database', stopped);
    lifecycle.onStop('broken', () => Promise.reject(new Error('no')));
    lifecycle.onStop('hanging', never);

    await lifecycle.stop('test');

    expect(stopped).toHaveBeenCalledTimes(1);
    expect(facts).toEqual(['stopping', 'part did not stop in time: hanging', 'part did not stop cleanly: broken', 'stopped']);
  });

  it('waits for background work before it stops the parts that the work uses', async () => {
    const order: string[] = [];
    const lifecycle = createLifecycle({ log: aLog().log });
    let finish: () => void = () => undefined;
    lifecycle.background(
      'sync',
      new Promise<void>((resolve) => (finish = resolve)).then(() => void order.push('synced')),
    );
    lifecycle.onStop('database', async () => void order.push('database'));
    lifecycle.onStop('http', async () => void order.push('http'));
    lifecycle.signal.addEventListener('abort', () => setTimeout(finish, 20));

    await lifecycle.stop('test');

    expect(order).toEqual(['http', 'synced', 'database']);
  });

  it('logs failed background work', async () => {
    const { log, facts } = aLog();
    const lifecycle = createLifecycle({ log });
    lifecycle.background('sync', Promise.reject(new Error('no')));
    await lifecycle.stop('test');
    expect(facts).toContain('background work failed: sync');
  });
});

describe('the signals', () => {
  it('take a listener of every part of every service without a warning', async () => {
    const warned = jest.fn();
    process.on('warning', warned);
    const { signal, stopAnnounced } = createLifecycle({ log: aLog().log });
    for (let part = 0; part < 50; part += 1)
      for (const each of [signal, stopAnnounced]) each.addEventListener('abort', () => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warned);
    expect(warned).not.toHaveBeenCalled();
  });
});
