/** The names of the queues and the exchange on RabbitMQ. */
export type Names = {
  /** The fanout exchange that delivers a notification to every process. */
  readonly broadcasts: string;
  readonly queue: (queue: string) => string;
  /** The name contains the delay, because the arguments of a queue cannot change. */
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
