import type { Clock } from '@holdfast/kernel/context';

/** Takes a call out of the limit. Returns undefined, or after how many milliseconds the next call is possible. */
export type CallLimit = () => number | undefined;

export const noCallLimit: CallLimit = () => undefined;

const minuteMs = 60_000;

/** A bucket with the calls of a minute. It is full at the start and is refilled continuously; a refused call costs nothing. */
export function createCallLimit(clock: Clock, callsPerMinute: number): CallLimit {
  const msPerCall = minuteMs / callsPerMinute;
  let [calls, countedAtMs] = [callsPerMinute, clock.epochMs()];
  return () => {
    const nowMs = clock.epochMs();
    calls = Math.min(callsPerMinute, calls + Math.max(0, nowMs - countedAtMs) / msPerCall);
    countedAtMs = nowMs;
    if (calls < 1) return Math.ceil((1 - calls) * msPerCall);
    calls -= 1;
    return undefined;
  };
}
