import { onceDone } from './once-done.js';

describe('onceDone', () => {
  it('tries again after a failure, and never after a success', async () => {
    const results = [() => Promise.reject(new Error('away')), () => Promise.resolve(1), () => Promise.resolve(2)];
    const call = onceDone(() => results.shift()?.() ?? Promise.resolve(3));
    await expect(call()).rejects.toThrow('away');
    expect([await call(), await call()]).toEqual([1, 1]);
  });

  it('shares one attempt between concurrent calls', async () => {
    let attempts = 0;
    const call = onceDone(() => Promise.resolve((attempts += 1)));
    expect(await Promise.all([call(), call(), call()])).toEqual([1, 1, 1]);
  });
});
