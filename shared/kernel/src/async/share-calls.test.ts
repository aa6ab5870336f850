import { shareCalls } from './share-calls.js';

describe('shareCalls', () => {
  it('runs once for concurrent calls, and again for a later one', async () => {
    let runs = 0;
    const call = shareCalls(async () => {
      await Promise.resolve();
      return (runs += 1);
    });
    expect(await Promise.all([call(), call()])).toEqual([1, 1]);
    expect(await call()).toBe(2);
  });

  it('gives a failure to the calls that share it, and runs again', async () => {
    let runs = 0;
    const call = shareCalls(() => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('once')) : Promise.resolve(runs);
    });
    const results = await Promise.allSettled([call(), call()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await call()).toBe(2);
  });
});
