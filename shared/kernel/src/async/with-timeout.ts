/**
 * The outcome of `work`, or the error of the time limit, whichever comes first. The work itself goes on: where it can be
 * stopped, give it an `AbortSignal` as well.
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

/** Whether `work` resolves or rejects within the time limit. Never rejects itself. */
export function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const settled = work.then(
    () => true,
    () => true,
  );
  return withTimeout(settled, timeoutMs, () => new Error('time limit reached')).catch(() => false);
}
