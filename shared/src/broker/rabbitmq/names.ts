/** Everything of ours on a broker, by name. */
export type Names = {
  readonly events: string;
  readonly hints: string;
  readonly queue: (queue: string) => string;
  /** The delay is part of the name, because a queue's arguments can never change. */
  readonly retry: (queue: string, delayMs: number) => string;
  readonly parked: (queue: string) => string;
  /** How the version before routes a message, or a bundle of them, to one queue. */
  readonly queueKey: (queue: string) => string;
};

export const defaultNamespace = 'holdfast';

export function namesOf(namespace: string): Names {
  return {
    events: `${namespace}.events`,
    hints: `${namespace}.hints.by-topic`,
    queue: (queue) => `${namespace}.${queue}`,
    retry: (queue, delayMs) => `${namespace}.${queue}.retry.${delayMs}ms`,
    parked: (queue) => `${namespace}.${queue}.parked`,
    queueKey: (queue) => `bundle.${queue}`,
  };
}
