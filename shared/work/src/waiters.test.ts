import { eventually } from '@holdfast/testing/eventually';
import { collectingLog } from '@holdfast/testing/log';
import { createWaiters, type Waiters } from './waiters.js';

type Options = Partial<Parameters<typeof createWaiters<string, string>>[0]>;

const hourMs = 3_600_000;
const long = { timeoutMs: hourMs };
const opened: Waiters<string, string>[] = [];

afterEach(() => {
  for (const waiters of opened.splice(0)) waiters.close();
});

/** Waiters that read from `ended`, and poll once an hour unless a test sets another time. */
function waitersOn(options: Options = {}) {
  const ended = new Map<string, string>();
  const queries: (readonly string[])[] = [];
  const log = collectingLog();
  const readOutcomes = (keys: readonly string[]) => {
    queries.push(keys);
    return Promise.resolve(new Map([...ended].filter(([key]) => keys.includes(key))));
  };
  const waiters = createWaiters({ name: 'errands', readOutcomes, pollEveryMs: hourMs, log, ...options });
  opened.push(waiters);
  return { waiters, ended, queries, log };
}

describe('a wait', () => {
  it('ends with the outcome, for all who wait for the key and for no other key', async () => {
    const { waiters, queries } = waitersOn();
    const waits = [waiters.wait('a', long), waiters.wait('a', long)];
    const other = waiters.wait('b', { timeoutMs: 1 });
    expect([waiters.resolve('a', 'done'), waiters.resolve('a', 'late')]).toEqual([true, false]);
    expect(await Promise.all([...waits, other])).toEqual(['done', 'done', undefined]);
    expect(queries).toEqual([]);
  });

  it('ends without an outcome at its time limit; others for the key continue', async () => {
    const { waiters } = waitersOn();
    const patient = waiters.wait('a', long);
    expect(await waiters.wait('a', { timeoutMs: 1 })).toBeUndefined();
    waiters.resolve('a', 'done');
    expect(await patient).toBe('done');
  });

  it('rejects with the reason of a caller that has gone, also before it began', async () => {
    const { waiters } = waitersOn();
    const caller = new AbortController();
    const waiting = waiters.wait('a', { ...long, signal: caller.signal });
    caller.abort(new Error('the client disconnected'));
    await expect(waiting).rejects.toThrow('the client disconnected');
    await expect(waiters.wait('a', { ...long, signal: caller.signal })).rejects.toThrow('the client disconnected');
    expect(waiters.resolve('a', 'done')).toBe(false);
  });

  it('ends at once if too much is waited for; once there is room again, a wait lasts', async () => {
    const { waiters } = waitersOn();
    const waits = Array.from({ length: 10_000 }, (_, n) => waiters.wait(String(n), long));
    expect(await waiters.wait('one too many', long)).toBeUndefined();
    waiters.resolve('0', 'done');
    const next = waiters.wait('next', long);
    waiters.resolve('next', 'done');
    expect([await waits[0], await next]).toEqual(['done', 'done']);
  });
});

describe('a check', () => {
  it('reads what is waited for, in one query for the checks of one turn', async () => {
    const { waiters, ended, queries } = waitersOn();
    const waits = ['a', 'b'].map((key) => waiters.wait(key, long));
    ended.set('a', 'done').set('b', 'refused');
    for (const key of ['a', 'b', 'a', 'a key without a waiter']) waiters.check(key);
    expect(await Promise.all(waits)).toEqual(['done', 'refused']);
    expect(queries).toEqual([['a', 'b']]);
  });

  it('that comes while a query runs is read by the next one', async () => {
    const queries: (readonly string[])[] = [];
    const { waiters } = waitersOn({
      readOutcomes: (keys) => {
        queries.push(keys);
        if (queries.length === 1) waiters.check('a');
        return Promise.resolve(new Map(queries.length === 1 ? [] : [['a', 'done']]));
      },
    });
    const waiting = waiters.wait('a', long);
    waiters.check('a');
    expect(await waiting).toBe('done');
    expect(queries).toEqual([['a'], ['a']]);
  });
});

describe('the poll', () => {
  it('reads all keys that requests wait for in one query, until none is left', async () => {
    const { waiters, ended, queries } = waitersOn({ pollEveryMs: 5 });
    const waits = ['a', 'b'].map((key) => waiters.wait(key, long));
    await eventually(() => expect(queries.length).toBeGreaterThan(1));
    ended.set('a', 'done').set('b', 'done');
    expect(await Promise.all(waits)).toEqual(['done', 'done']);
    expect(new Set(queries.map((keys) => keys.join(' ')))).toEqual(new Set(['a b']));
  });

  it('does not run while nothing is waited for', async () => {
    const { waiters, queries } = waitersOn({ pollEveryMs: 1 });
    const other = waitersOn({ pollEveryMs: 1 });
    await waiters.wait('a', { timeoutMs: 1 });
    const before = queries.length;
    const watching = other.waiters.wait('b', long);
    await eventually(() => expect(other.queries.length).toBeGreaterThan(5));
    expect(queries.length - before).toBeLessThan(2); // a query that was begun
    other.waiters.close();
    await watching;
  });

  it('continues after a query that failed, and logs it', async () => {
    let queries = 0;
    const readOutcomes = (keys: readonly string[]) => {
      queries += 1;
      return queries === 1 ? Promise.reject(new Error('down')) : Promise.resolve(new Map(keys.map((key) => [key, 'done'])));
    };
    const { waiters, log } = waitersOn({ pollEveryMs: 5, readOutcomes });
    expect(await waiters.wait('a', long)).toBe('done');
    expect(log.lines).toMatchObject([
      { level: 'warn', fact: 'outcomes that requests wait for could not be read', fields: { waitingFor: 'errands' } },
    ]);
  });
});

describe('the end of the process', () => {
  it('ends every wait after the grace period, and every later one at once', async () => {
    const stopping = new AbortController();
    const { waiters } = waitersOn({ signal: stopping.signal, stopGraceMs: 20 });
    const [resolved, unresolved] = [waiters.wait('a', long), waiters.wait('b', long)];
    stopping.abort();
    const during = waiters.wait('c', long);
    waiters.resolve('a', 'done');
    waiters.resolve('c', 'done');
    expect(await Promise.all([resolved, unresolved, during])).toEqual(['done', undefined, 'done']);
    expect(await waiters.wait('d', long)).toBeUndefined();
  });

  it('without a grace period ends every wait when the waiters are closed', async () => {
    const { waiters } = waitersOn();
    const waits = [waiters.wait('a', long), waiters.wait('a', long), waiters.wait('b', long)];
    waiters.close();
    expect(await Promise.all(waits)).toEqual([undefined, undefined, undefined]);
    expect(await waiters.wait('c', long)).toBeUndefined();
  });
});
