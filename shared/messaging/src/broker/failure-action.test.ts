import { AppError } from '@holdfast/kernel/errors';
import { toEpochMs, type Instant } from '@holdfast/kernel/context';
import { NewerVersionError, NonRetryableError } from './broker.js';
import { failureActionOf } from './failure-action.js';

const now = '2026-11-17T12:00:00.000000Z';
const policy = { retryDelaysMs: [10, 20], newerVersionWaitMs: 3_600_000, epochMs: () => toEpochMs(now) };

describe('a failed message', () => {
  it('is retried after each delay in turn', () => {
    expect(failureActionOf(new Error('no'), 0, policy)).toEqual({ kind: 'retry', attempts: 1, delayMs: 10 });
    expect(failureActionOf(new Error('no'), 1, policy)).toEqual({ kind: 'retry', attempts: 2, delayMs: 20 });
  });

  it('is parked after the last retry, with the last error as reason', () => {
    const reason = 'failed 3 times, at last: TypeError: no';
    expect(failureActionOf(new TypeError('no'), 2, policy)).toEqual({ kind: 'park', attempts: 3, reason });
  });

  it('is parked at once when the error is not retryable', () => {
    const reason = 'not retryable: unknown currency';
    expect(failureActionOf(new NonRetryableError('unknown currency'), 0, policy)).toEqual({
      kind: 'park',
      attempts: 1,
      reason,
    });
  });

  it.each(['53100', '53200', '53300', '58030'])('is retried and does not count while the database fails with %s', (code) => {
    const error = new AppError('SERVICE_UNAVAILABLE', {}, { cause: Object.assign(new Error('no space left'), { code }) });
    expect(failureActionOf(error, 0, policy)).toEqual({ kind: 'retry', attempts: 0, delayMs: 20 });
    expect(failureActionOf(error, 2, policy)).toEqual({ kind: 'retry', attempts: 2, delayMs: 20 });
  });

  it('waits with the longest delay while it is of a newer version, and is parked when it is too old', () => {
    const of = (occurredAt: Instant) => failureActionOf(new NewerVersionError('version 2', { occurredAt }), 3, policy);
    expect(of(now)).toEqual({ kind: 'retry', attempts: 3, delayMs: 20, isNewer: true });
    expect(of('2026-11-17T11:00:00.000000Z')).toMatchObject({ kind: 'retry', attempts: 3 });
    const reason = 'no process knows its version: version 2';
    expect(of('2026-11-17T10:59:59.999000Z')).toEqual({ kind: 'park', attempts: 4, reason });
  });

  it('has a reason of at most 500 characters', () => {
    const action = failureActionOf('x'.repeat(10_000), 9, policy);
    expect(action).toMatchObject({ kind: 'park', attempts: 10 });
    expect(action.kind === 'park' && action.reason.length).toBe(500);
  });
});
