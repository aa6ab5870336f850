export type SilenceWatch = { readonly signal: AbortSignal; readonly reset: () => void; readonly stop: () => void };

/** Aborts its signal after a silence. The time runs only while a chunk is awaited, so that a slow consumer does not count as silence. */
export function silenceWatch(silenceMsMax: number): SilenceWatch {
  const dead = new AbortController();
  const start = (): ReturnType<typeof setTimeout> => setTimeout(() => dead.abort(), silenceMsMax);
  let timer = start();
  const stop = (): void => clearTimeout(timer);
  const reset = (): void => {
    stop();
    timer = start();
  };
  return { signal: dead.signal, reset, stop };
}
