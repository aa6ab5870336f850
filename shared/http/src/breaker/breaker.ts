import CircuitBreaker from 'opossum';
import { AppError, errorCatalogue, isAppError } from '@holdfast/kernel/errors';

export type BreakerOptions = {
  /** After this time a call counts as failed. The call is not aborted, so it needs its own timeout. */
  readonly timeoutMs: number;
  /** The percentage of failed calls in the last ten seconds that opens the breaker. */
  readonly failuresPercent: number;
  /** The breaker stays closed with fewer calls in that time. */
  readonly callsMin: number;
  /** How long the breaker stays open before it lets one call through. */
  readonly resetMs: number;
  /** Errors that do not count as failures, such as a refused request. Default: catalogue errors below 500. */
  readonly isExpected?: (error: unknown) => boolean;
  readonly onChange?: (state: BreakerState) => void;
};

export const breakerStates = ['closed', 'half-open', 'open'] as const;
export type BreakerState = (typeof breakerStates)[number];

/** `close` ends the timer that counts the last ten seconds: it would keep the breaker and all that it can reach in memory. */
export type Guarded<Args extends unknown[], Result> = ((...args: Args) => Promise<Result>) & { readonly close: () => void };

const windowMs = 10_000;
const windowBuckets = 10;

/**
 * Wraps a function in a circuit breaker. While the breaker is open calls are refused at once with SERVICE_UNAVAILABLE; a call that
 * takes too long is PROVIDER_TIMEOUT.
 */
export function breaker<Args extends unknown[], Result>(
  call: (...args: Args) => Promise<Result>,
  options: BreakerOptions,
): Guarded<Args, Result> {
  const { timeoutMs, failuresPercent, callsMin, resetMs, isExpected = isRefusal, onChange } = options;
  const circuit = new CircuitBreaker<Args, Result>(call, {
    timeout: timeoutMs,
    errorThresholdPercentage: failuresPercent,
    volumeThreshold: callsMin,
    resetTimeout: resetMs,
    rollingCountTimeout: windowMs,
    rollingCountBuckets: windowBuckets,
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
    errorFilter: isExpected,
  });
  if (onChange !== undefined) {
    circuit.on('open', () => onChange('open'));
    circuit.on('halfOpen', () => onChange('half-open'));
    circuit.on('close', () => onChange('closed'));
  }
  const fire = async (...args: Args): Promise<Result> => {
    try {
      return await circuit.fire(...args);
    } catch (error) {
      throw toAppError(error, resetMs);
    }
  };
  return Object.assign(fire, { close: () => circuit.shutdown() });
}

function isRefusal(error: unknown): boolean {
  return isAppError(error) && errorCatalogue[error.code].status < 500;
}

/** Errors of opossum itself become AppErrors; errors of the call stay as they are. */
function toAppError(error: unknown, resetMs: number): unknown {
  if (!(error instanceof Error) || !CircuitBreaker.isOurError(error)) return error;
  const isOpen = 'code' in error && error.code === 'EOPENBREAKER';
  if (isOpen) return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: Math.ceil(resetMs / 1_000) }, { cause: error });
  return new AppError('PROVIDER_TIMEOUT', {}, { cause: error });
}
