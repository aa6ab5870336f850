import { isHoldfastError, type Holdfast } from '@holdfast/sdk';
import type { LiveEvent, LiveState } from './live-context.js';

export type Following = {
  readonly signal: AbortSignal;
  readonly onEvent: (event: LiveEvent) => void;
  readonly onState: (state: LiveState) => void;
};

/** Between attempts to open the stream while the platform is away: few enough requests for a tab at rest. */
const pauseMs = 10_000;

/** Reads the event stream until the signal is aborted or the platform refuses the credential. */
export async function followEvents(api: Holdfast, { signal, onEvent, onState }: Following): Promise<void> {
  const stream = () =>
    api.events.stream({ signal, onConnect: () => onState('live'), onDisconnect: () => onState('away'), retriesMax: 0 });
  while (!signal.aborted) {
    try {
      for await (const event of stream()) onEvent(event);
    } catch (error) {
      if (isRefusal(error)) throw error;
      onState('away');
      await pause(pauseMs, signal);
    }
  }
}

function isRefusal(error: unknown): boolean {
  return isHoldfastError(error) && (error.status === 401 || error.status === 403);
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
