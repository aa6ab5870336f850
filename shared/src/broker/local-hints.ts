import type { Log } from '../context/index.js';
import type { Broker, Hint } from './broker.js';

export type LocalHints = {
  readonly tell: (hint: Hint) => void;
  readonly listen: Broker['onBroadcast'];
  /** What somebody in this process listens to. */
  readonly topics: () => ReadonlySet<string>;
};

type Listener = { readonly topics: readonly string[]; readonly hear: (hint: Hint) => void };

/** The listeners of this process. One that throws keeps the hint from nobody else. */
export function createLocalHints(log: Log): LocalHints {
  const listeners = new Map<symbol, Listener>();
  return {
    tell: (hint) => {
      for (const { topics, hear } of listeners.values()) if (topics.includes(hint.topic)) callListener(hear, hint, log);
    },
    listen: (topics, hear) => {
      const key = Symbol(); // the same function may listen twice, and stop once
      listeners.set(key, { topics, hear });
      return () => {
        listeners.delete(key);
      };
    },
    topics: () => new Set([...listeners.values()].flatMap(({ topics }) => topics)),
  };
}

function callListener(hear: (hint: Hint) => void, hint: Hint, log: Log): void {
  try {
    hear(hint);
  } catch (error) {
    log.error({ err: error, topic: hint.topic }, 'a listener of hints threw');
  }
}
