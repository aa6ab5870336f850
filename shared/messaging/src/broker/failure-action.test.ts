import { AppError } from '@holdfast/kernel/errors';
import { NonRetryableError } from './broker.js';
import { failureActionOf } from './failure-action.js';

const retryDelaysMs = [10, 20];

describe('a failed message', () => {
  it('is retried after each delay in turn', () => {
    expect(failureActionOf(new Error('no'), 0, retryDelaysMs)).toEqual({ kind: 'retry', attempts: 1, delayMs: 10 });
    expect(failureActionOf(new Error('no'), 1, retryDelaysMs)).toEqual({ kind: 'retry', attempts: 2, delayMs: 20 });
  });

  it('is parked after the last retry, with the last error as reason', () => {
    const reason = 'failed 3 times, at last: TypeError: no';
    expect(failureActionOf(new TypeError('no'), 2, retryDelaysMs)).toEqual({ kind: 'park', attempts: 3, reason });
  });

  it('is parked at once when the error is not retryable', () => {
    const reason = 'not retryable: unknown currency';
    expect(failureActionOf(new NonRetryableError('unknown currency'), 0, retryDelaysMs)).toEqual({
      kind: 'park',
      attempts: 1,
      reason,
    });
  });

  it.each(['53100', '53200', '53300', '58030'])('is retried and does not count while the database fails with %s', (code) => {
    const error = new AppError('SERVICE_UNAVAILABLE', {}, { cause: Object.assign(new Error('no space left'), { code }) });
    expect(failureActionOf(error, 0, retryDelaysMs)).toEqual({ kind: 'retry', attempts: 0, delayMs: 20 });
    expect(failureActionOf(error, 2, retryDelaysMs)).toEqual({ kind: 'retry', attempts: 2, delayMs: 20 });
  });

  it('has a reason of at most 500 characters', () => {
    const action = failureActionOf('x'.repeat(10_000), 9, retryDelaysMs);
    expect(action).toMatchObject({ kind: 'park', attempts: 10 });
    expect(action.kind === 'park' && action.reason.length).toBe(500);
  });
});
