import type { Log } from '../context/index.js';
import type { Hint } from './broker.js';

export type LocalHints = {
  readonly tell: (hint: Hint) => void;
  readonly listen: (listener: (hint: Hint) => void) => () => void;
};

/** The listeners of this process. One that throws keeps the hint from nobody else. */
export function createLocalHints(log: Log): LocalHints {
  const listeners = new Map<symbol, (hint: Hint) => void>();
  return {
    tell: (hint) => {
      for (const listener of listeners.values()) callListener(listener, hint, log);
    },
    listen: (listener) => {
      const key = Symbol(); // the same function may listen twice, and stop once
      listeners.set(key, listener);
      return () => {
        listeners.delete(key);
      };
    },
  };
}

function callListener(listener: (hint: Hint) => void, hint: Hint, log: Log): void {
  try {
    listener(hint);
  } catch (error) {
    log.error({ err: error, topic: hint.topic }, 'a listener of hints threw');
  }
}
