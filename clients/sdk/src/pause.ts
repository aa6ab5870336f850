/** Waits, unless the signal is aborted before. */
export async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, delayMs);
    signal?.addEventListener('abort', stopped, { once: true });
    function done(): void {
      signal?.removeEventListener('abort', stopped);
      resolve();
    }
    function stopped(): void {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
  });
}

/** Doubles with each attempt, from half to all of it at random, so that clients that failed together do not return together. */
export function backoffMs(attempt: number, { firstDelayMs, delayMsMax }: { firstDelayMs: number; delayMsMax: number }): number {
  const whole = Math.min(delayMsMax, firstDelayMs * 2 ** attempt);
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return whole / 2 + ((whole / 2) * random) / 2 ** 32;
}
