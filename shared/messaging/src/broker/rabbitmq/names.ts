/** Everything of ours on a broker, by name. */
export type Names = {
  /** The exchange that hands a notification to every process. */
  readonly broadcasts: string;
  readonly queue: (queue: string) => string;
  /** The delay is part of the name, because a queue's arguments can never change. */
  readonly retry: (queue: string, delayMs: number) => string;
  readonly parked: (queue: string) => string;
};

export const defaultNamespace = 'holdfast';

export function namesOf(namespace: string): Names {
  return {
    broadcasts: `${namespace}.broadcasts`,
    queue: (queue) => `${namespace}.${queue}`,
    retry: (queue, delayMs) => `${namespace}.${queue}.retry.${delayMs}ms`,
    parked: (queue) => `${namespace}.${queue}.parked`,
  };
}
