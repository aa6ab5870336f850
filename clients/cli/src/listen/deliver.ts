import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '@holdfast/kernel/async';
import type { Clock } from '@holdfast/kernel/context';
import { signedHeaders } from './sign.js';

export type Receiver = {
  readonly url: string;
  readonly secret: string;
  /** How often a receiver may refuse an event before it is skipped. Undefined: until it accepts. */
  readonly attemptsMax: number | undefined;
};

export type Delivery = {
  readonly isDelivered: boolean;
  /** The status of the last response. */
  readonly status: number;
  readonly attempts: number;
  readonly durationMs: number;
};

type Deps = {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onRetry: (reason: string, delayMs: number) => void;
};

const timeoutMs = 15_000;
const delays = { firstDelayMs: 500, delayMsMax: 3_000 } as const;

/** Posts an event until the receiver accepts it with a 2xx. A receiver that is down is waited for; the signal ends the wait. */
export async function deliver(
  receiver: Receiver,
  event: { readonly id: string; readonly body: string },
  deps: Deps,
): Promise<Delivery> {
  const { attemptsMax = Number.POSITIVE_INFINITY } = receiver;
  for (let attempts = 1; ; attempts += 1) {
    const begin = performance.now();
    const result = await post(receiver, event, deps);
    const durationMs = Math.round(performance.now() - begin);
    const status = typeof result === 'number' ? result : 0;
    if (status >= 200 && status < 300) return { isDelivered: true, status, attempts, durationMs };
    if (status > 0 && attempts >= attemptsMax) return { isDelivered: false, status, attempts, durationMs };
    const delayMs = backoffMs(attempts, delays);
    deps.onRetry(typeof result === 'number' ? `the receiver responded with ${result}` : result, delayMs);
    await pause(delayMs, undefined, { signal: deps.signal });
  }
}

/** The status, or why there was no response. */
async function post(
  { url, secret }: Receiver,
  { id, body }: { readonly id: string; readonly body: string },
  { clock, signal }: Deps,
): Promise<number | string> {
  const headers = { 'content-type': 'application/json', ...signedHeaders(secret, { id, body, atMs: clock.epochMs() }) };
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    signal.throwIfAborted();
    return limit.aborted ? `no response within ${timeoutMs / 1_000} s` : reasonOf(error);
  }
}

/** The message of a fetch error is generic; its cause has the reason. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message;
  return cause instanceof Error ? cause.message : String(cause);
}
