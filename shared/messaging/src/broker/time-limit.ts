/** The outcome of the work, or the error of the limit, whichever comes first. The work itself is not stopped. */
export async function withTimeLimit<T>(work: Promise<T>, limitMs: number, onLimit: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onLimit()), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the work ended in time, well or badly. */
export async function endsWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  const ended = work.then(
    () => true,
    () => true,
  );
  return withTimeLimit(ended, limitMs, () => new Error('too late')).catch(() => false);
}
