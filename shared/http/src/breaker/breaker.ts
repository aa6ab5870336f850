import CircuitBreaker from 'opossum';
import { AppError, errorCatalogue, isAppError } from '@holdfast/kernel/errors';

export type BreakerOptions = {
  /** After this a call counts as failed. The call itself should have a limit of its own, for it is not stopped. */
  readonly timeoutMs: number;
  /** The share of failed calls among those of the last ten seconds that opens it. */
  readonly failuresPercent: number;
  /** Fewer calls than this say nothing. */
  readonly callsMin: number;
  /** How long it stays open before one call may try again. */
  readonly resetMs: number;
  /** Refusals that the other side meant. They reach the caller and do not count as failures. */
  readonly isExpected?: (error: unknown) => boolean;
  readonly onChange?: (state: BreakerState) => void;
};

export const breakerStates = ['closed', 'half-open', 'open'] as const;
export type BreakerState = (typeof breakerStates)[number];

/** `close` ends the timer that counts the last ten seconds: it would keep the breaker and all that it can reach in memory. */
export type Guarded<Args extends unknown[], Result> = ((...args: Args) => Promise<Result>) & { readonly close: () => void };

const windowMs = 10_000;
const windowParts = 10;

/**
 * The same function behind a breaker: while the other side fails, callers get SERVICE_UNAVAILABLE at once instead of waiting
 * for it, and a call that takes too long is PROVIDER_TIMEOUT.
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
    rollingCountBuckets: windowParts,
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
      throw translated(error, resetMs);
    }
  };
  return Object.assign(fire, { close: () => circuit.shutdown() });
}

/** Refusals of the catalogue below 500 are answers; everything else is a failure. */
function isRefusal(error: unknown): boolean {
  return isAppError(error) && errorCatalogue[error.code].status < 500;
}

function translated(error: unknown, resetMs: number): unknown {
  if (!(error instanceof Error) || !CircuitBreaker.isOurError(error)) return error;
  const isOpen = 'code' in error && error.code === 'EOPENBREAKER';
  if (isOpen) return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: Math.ceil(resetMs / 1_000) }, { cause: error });
  return new AppError('PROVIDER_TIMEOUT', {}, { cause: error });
}
