import { runOutcomeOf } from './run-outcome.js';

const ended = { outcome: { status: 'succeeded' }, isRetryStopped: false, secondsToDeadline: 60 } as const;
const deadlines = { afterMs: 60_000 };

describe('a saga run is counted as', () => {
  it('succeeded, also after its abort was requested', () => {
    expect(runOutcomeOf(ended, deadlines)).toBe('succeeded');
    expect(runOutcomeOf({ ...ended, secondsToDeadline: 130 }, deadlines)).toBe('succeeded');
  });

  it('refused by a rule, or compensated after a failure', () => {
    expect(runOutcomeOf({ ...ended, outcome: { status: 'failed', code: 'INSUFFICIENT_FUNDS' } }, deadlines)).toBe('refused');
    expect(runOutcomeOf({ ...ended, outcome: { status: 'failed', code: 'SERVICE_UNAVAILABLE' } }, deadlines)).toBe('compensated');
    expect(
      runOutcomeOf({ ...ended, secondsToDeadline: null, outcome: { status: 'failed', code: 'PROVIDER_TIMEOUT' } }, deadlines),
    ).toBe('compensated');
  });

  it('aborted if its deadline was moved by a request to abort it', () => {
    const failed = { status: 'failed', code: 'SERVICE_UNAVAILABLE' } as const;
    expect(runOutcomeOf({ ...ended, outcome: failed, secondsToDeadline: 121 }, deadlines)).toBe('aborted');
  });

  it('resolved if its retries had been stopped', () => {
    expect(runOutcomeOf({ ...ended, isRetryStopped: true }, deadlines)).toBe('resolved');
  });
});
