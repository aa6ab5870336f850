import { AppError, isAppError } from '@holdfast/kernel/errors';
import { eventually } from '@holdfast/testing/eventually';
import { breaker, type BreakerOptions, type BreakerState } from './index.js';

const options: BreakerOptions = { timeoutMs: 50, failuresPercent: 50, callsMin: 4, resetMs: 100 };

function aProvider(behaviour: { act: (word: string) => Promise<string> }, more: Partial<BreakerOptions> = {}) {
  let calls = 0;
  const states: BreakerState[] = [];
  const callProvider = breaker(
    (word: string) => {
      calls += 1;
      return behaviour.act(word);
    },
    { ...options, onChange: (state) => void states.push(state), ...more },
  );
  return { ask: callProvider, calls: () => calls, states };
}

async function outcomes(callProvider: (word: string) => Promise<string>, count: number): Promise<readonly string[]> {
  const made: string[] = [];
  for (let call = 0; call < count; call += 1) {
    made.push(await callProvider('hello').catch((error: unknown) => (isAppError(error) ? error.code : String(error))));
  }
  return made;
}

const broken = () => Promise.reject(new Error('broken'));

describe('a breaker', () => {
  it('passes arguments and results through', async () => {
    const { ask: callProvider } = aProvider({ act: (word) => Promise.resolve(`${word} back`) });
    expect(await callProvider('hello')).toBe('hello back');
  });

  it('opens on failures once there were enough calls, and then spares the other side', async () => {
    const { ask: callProvider, calls, states } = aProvider({ act: broken });
    expect(await outcomes(callProvider, 6)).toEqual([
      ...Array<string>(4).fill('Error: broken'),
      'SERVICE_UNAVAILABLE',
      'SERVICE_UNAVAILABLE',
    ]);
    expect(calls()).toBe(4);
    expect(states).toEqual(['open']);
    await expect(callProvider('hello')).rejects.toMatchObject({ details: { retryAfterSeconds: 1 } });
  });

  it('tries again after a while and closes when that works', async () => {
    const behaviour: { act: (word: string) => Promise<string> } = { act: broken };
    const { ask: callProvider, states } = aProvider(behaviour);
    await outcomes(callProvider, 4);
    behaviour.act = () => Promise.resolve('well again');
    await eventually(async () => expect(await outcomes(callProvider, 1)).toEqual(['well again']));
    expect(states).toEqual(['open', 'half-open', 'closed']);
  });

  it('504 PROVIDER_TIMEOUT for a call that takes too long', async () => {
    const { ask: callProvider } = aProvider({ act: () => new Promise(() => undefined) });
    expect(await outcomes(callProvider, 1)).toEqual(['PROVIDER_TIMEOUT']);
  });

  it('does not count refusals that the other side meant', async () => {
    const refused = aProvider({ act: () => Promise.reject(new AppError('PAYMENT_ACCOUNT_INVALID')) });
    expect(new Set(await outcomes(refused.ask, 20))).toEqual(new Set(['PAYMENT_ACCOUNT_INVALID']));
    const own = aProvider({ act: broken }, { isExpected: (error) => error instanceof Error && error.message === 'broken' });
    expect(new Set(await outcomes(own.ask, 20))).toEqual(new Set(['Error: broken']));
  });

  it('leaves no timer when it is closed', () => {
    jest.useFakeTimers();
    const ask = breaker(() => Promise.resolve('back'), options);
    expect(jest.getTimerCount()).toBe(1);
    ask.close();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});
