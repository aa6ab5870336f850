import type { MessageDeclaration } from '@holdfast/contracts/messages';
import type { ServiceName } from '@holdfast/contracts/services';
import { consumersOf } from '@holdfast/contracts/sagas';
import type { Topology } from './broker.js';

/** One queue per service, named like it, with every type that the service consumes. */
export function topologyOf(messages: readonly MessageDeclaration[], services: readonly ServiceName[]): Topology {
  return {
    queues: services.map((service) => ({
      name: service,
      types: messages.filter((declaration) => consumersOf(declaration).includes(service)).map(({ type }) => type),
    })),
  };
}

/** The queues of each message type. A type without an entry has no consumer. */
export function queuesByType(topology: Topology): ReadonlyMap<string, readonly string[]> {
  const queues = new Map<string, string[]>();
  for (const { name, types } of topology.queues) {
    for (const type of types) queues.set(type, [...(queues.get(type) ?? []), name]);
  }
  return queues;
}

export function assertKnownQueue(topology: Topology, queue: string): void {
  if (topology.queues.some(({ name }) => name === queue)) return;
  throw new Error(`There is no queue "${queue}"; there are: ${topology.queues.map(({ name }) => name).join(', ')}.`);
}
