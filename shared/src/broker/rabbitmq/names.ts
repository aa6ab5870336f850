/** Everything of ours on a broker, by name. */
export type Names = {
  readonly events: string;
  readonly hints: string;
  readonly queue: (queue: string) => string;
  /** The delay is part of the name, because a queue's arguments can never change. */
  readonly retry: (queue: string, delayMs: number) => string;
  readonly parked: (queue: string) => string;
  /** Routes a bundle to one queue. */
  readonly bundleKey: (queue: string) => string;
};

export const defaultNamespace = 'holdfast';

export function namesOf(namespace: string): Names {
  return {
    events: `${namespace}.events`,
    hints: `${namespace}.hints`,
    queue: (queue) => `${namespace}.${queue}`,
    retry: (queue, delayMs) => `${namespace}.${queue}.retry.${delayMs}ms`,
    parked: (queue) => `${namespace}.${queue}.parked`,
    bundleKey: (queue) => `bundle.${queue}`,
  };
}
