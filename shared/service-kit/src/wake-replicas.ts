import type { ServiceName } from '@holdfast/contracts/services';
import type { Broker } from '@holdfast/messaging/broker';
import type { Job, WakeJob } from '@holdfast/work';

/** Wakes up a job in every process of the service, this one included. A lost wake-up is covered by the look of the job. */
export type WakeReplicas = (jobName: string) => void;

type Options = { readonly service: ServiceName; readonly broker: Pick<Broker, 'broadcast' | 'onNotification'> };

const topic = 'due-work';

/** The services of one process share its broker. */
function keyOf(service: ServiceName, jobName: string): string {
  return `${service}/${jobName}`;
}

export function createWakeReplicas({ service, broker }: Options): WakeReplicas {
  return (jobName) => broker.broadcast({ topic, key: keyOf(service, jobName) });
}

/** Returns the function that stops listening. A job that only another version of the service has is ignored. */
export function listenToReplicas({ service, broker }: Options, jobs: readonly Job[], wake: WakeJob): () => void {
  const names = new Map(jobs.map(({ name }) => [keyOf(service, name), name]));
  return broker.onNotification([topic], ({ key }) => {
    const name = names.get(key);
    if (name !== undefined) wake(name);
  });
}
