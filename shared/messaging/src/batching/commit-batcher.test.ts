import { isAppError } from '@holdfast/kernel/errors';
import { OutcomeUnknown } from '@holdfast/postgres';
import { createCommitBatcher, type CommitBatcherOptions, type Results } from './index.js';

type Commit = CommitBatcherOptions<string, string>['commit'];

const limits = { sizeMax: 10, batchDelayMs: 1, inFlightMax: 1, waitingMax: 100 };

const done = (items: readonly string[]): Results<string> => items.map((item) => ({ status: 'fulfilled', value: `${item}!` }));

/** Runs `commit` and records its arguments. */
function observed(commit: (items: readonly string[], mayBeCommitted: boolean) => Results<string>) {
  const calls: (readonly [readonly string[], boolean])[] = [];
  const observing: Commit = async (items, { mayBeCommitted }) => {
    calls.push([items, mayBeCommitted]);
    await Promise.resolve();
    return commit(items, mayBeCommitted);
  };
  return { commit: observing, calls };
}

describe('the commit batcher', () => {
  it('commits concurrent items in one transaction', async () => {
    const { commit, calls } = observed(done);
    const { submit } = createCommitBatcher({ ...limits, commit });
    expect(await Promise.all(['a', 'b', 'c'].map(submit))).toEqual(['a!', 'b!', 'c!']);
    expect(calls).toEqual([[['a', 'b', 'c'], false]]);
  });

  it('commits items with the same key in successive transactions, each sorted by key', async () => {
    const { commit, calls } = observed(done);
    const { submit } = createCommitBatcher({ ...limits, commit, keyOf: (item: string) => item.slice(0, 1) });
    expect(await Promise.all(['b1', 'a1', 'b2', 'b3'].map(submit))).toEqual(['b1!', 'a1!', 'b2!', 'b3!']);
    expect(calls.map(([items]) => items)).toEqual([['a1', 'b1'], ['b2'], ['b3']]);
  });

  it('commits each item alone when the batch fails, so that only the bad one fails', async () => {
    const { commit } = observed((items) => {
      if (items.includes('bad')) throw new Error('constraint');
      return done(items);
    });
    const { submit } = createCommitBatcher({ ...limits, commit });
    const results = await Promise.allSettled(['a', 'bad', 'c'].map(submit));
    expect(results).toEqual([
      { status: 'fulfilled', value: 'a!' },
      { status: 'rejected', reason: new Error('constraint') },
      { status: 'fulfilled', value: 'c!' },
    ]);
  });

  it('commits the later items of a key when an earlier one fails', async () => {
    const { commit, calls } = observed((items) => {
      if (items.includes('a1')) throw new Error('too early');
      return done(items);
    });
    const { submit } = createCommitBatcher({ ...limits, commit, keyOf: (item: string) => item.slice(0, 1) });
    const results = await Promise.allSettled(['a1', 'a2'].map(submit));
    expect(results).toEqual([
      { status: 'rejected', reason: new Error('too early') },
      { status: 'fulfilled', value: 'a2!' },
    ]);
    expect(calls.map(([items]) => items)).toEqual([['a1'], ['a2']]);
  });

  it('keeps the results of earlier rounds, and starts no later ones, when the database goes away', async () => {
    const { commit, calls } = observed((items) => {
      if (items.includes('a2')) throw Object.assign(new Error('the server is away'), { code: 'ECONNREFUSED' });
      return done(items);
    });
    const { submit } = createCommitBatcher({ ...limits, commit, keyOf: (item: string) => item.slice(0, 1) });
    const results = await Promise.allSettled(['a1', 'a2', 'a3'].map(submit));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(calls.map(([items]) => items)).toEqual([['a1'], ['a2']]);
  });

  it('commits the other items of a batch when one is refused', async () => {
    const { commit, calls } = observed((items) =>
      items.map((item) =>
        item === 'no' ? { status: 'rejected', reason: new Error('refused') } : { status: 'fulfilled', value: item },
      ),
    );
    const { submit } = createCommitBatcher({ ...limits, commit });
    const results = await Promise.allSettled(['a', 'no'].map(submit));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(calls).toHaveLength(1);
  });

  it('repeats each item with mayBeCommitted when the outcome of the commit is unknown', async () => {
    let hasFailed = false;
    const { commit, calls } = observed((items) => {
      if (hasFailed) return done(items);
      hasFailed = true;
      throw new OutcomeUnknown(new Error('the response was lost'));
    });
    const { submit } = createCommitBatcher({ ...limits, commit });
    expect(await Promise.all(['a', 'b'].map(submit))).toEqual(['a!', 'b!']);
    expect(calls).toEqual([
      [['a', 'b'], false],
      [['a'], true],
      [['b'], true],
    ]);
  });

  it('rejects with OutcomeUnknown when the outcome stays unknown', async () => {
    const { commit, calls } = observed(() => {
      throw new OutcomeUnknown(new Error('the response was lost'));
    });
    const { submit } = createCommitBatcher({ ...limits, commit });
    await expect(submit('a')).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(calls.slice(1).every(([, mayBeCommitted]) => mayBeCommitted)).toBe(true);
    expect(calls.length).toBeGreaterThan(2);
  });

  it('503 SERVICE_UNAVAILABLE beyond waitingMax', async () => {
    const { commit } = observed(done);
    const { submit, drain } = createCommitBatcher({ ...limits, commit, waitingMax: 1 });
    const first = submit('a');
    const refused = await submit('b').catch((error: unknown) => error);
    expect(isAppError(refused, 'SERVICE_UNAVAILABLE')).toBe(true);
    await first;
    await drain();
  });
});
