/**
 * Settles like `work`, or rejects at the timeout. The work itself continues after the timeout; pass it an `AbortSignal` to stop
 * it.
 */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number, toError: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(toError()), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether `work` resolves or rejects before the timeout. Never rejects. */
export function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const settled = work.then(
    () => true,
    () => true,
  );
  return withTimeout(settled, timeoutMs, () => new Error('timed out')).catch(() => false);
}
