import type { Broker, BrokerEvent, Topology } from '../broker.js';
import { concludePublish, serializeAll, type Failures, type Serialized } from '../publishing.js';
import { endsWithin } from '../time-limit.js';
import { queuesByType } from '../topology.js';
import type { Lane, Load } from './lanes.js';

export type PublishOptions = {
  readonly topology: Topology;
  readonly lanes: ReadonlyMap<string, Lane>;
  readonly publishTimeoutMs: number;
  readonly onEvent: (event: BrokerEvent) => void;
};

/** What nobody listens to is done at once; a returned message would otherwise never be done. */
export function publishEnvelopes({ topology, lanes, publishTimeoutMs, onEvent }: PublishOptions): Broker['publish'] {
  const queues = queuesByType(topology);
  return async (envelopes) => {
    const heard = envelopes.filter(({ type }) => queues.has(type));
    if (heard.length === 0) return;
    const { serialized, failures } = serializeAll(heard);
    const loads = loadsOf(serialized, queues);
    const sending = Promise.all([...loads].map(([queue, load]) => sendLoad(lanes.get(queue), load, failures)));
    if (!(await endsWithin(sending, publishTimeoutMs))) {
      const late = new Error(`not confirmed within ${publishTimeoutMs} ms`);
      for (const load of loads.values()) giveUp(load, failures, late);
    }
    concludePublish(heard.length, failures, onEvent);
  };
}

type PendingLoad = Load & { isSettled: boolean };

function loadsOf(
  messages: readonly Serialized[],
  queues: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, PendingLoad> {
  const loads = new Map<string, PendingLoad & { readonly members: Serialized[] }>();
  for (const message of messages) {
    for (const queue of queues.get(message.envelope.type) ?? []) {
      const load = loads.get(queue);
      if (load === undefined) loads.set(queue, { members: [message], isGivenUp: false, isSettled: false });
      else load.members.push(message);
    }
  }
  return loads;
}

async function sendLoad(lane: Lane | undefined, load: PendingLoad, failures: Failures): Promise<void> {
  try {
    if (lane === undefined) throw new Error('there is no way to its queue');
    const failed = await lane.submit(load);
    for (const { envelope } of failed.size === 0 ? [] : load.members) noteFailure(failures, envelope.id, failed.get(envelope.id));
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    for (const { envelope } of load.members) noteFailure(failures, envelope.id, failure);
  }
  load.isSettled = true;
}

function giveUp(load: PendingLoad, failures: Failures, reason: Error): void {
  if (load.isSettled) return;
  load.isGivenUp = true;
  for (const { envelope } of load.members) noteFailure(failures, envelope.id, reason);
}

/** A message that one of its queues does not have is not published, whatever the others say. */
function noteFailure(failures: Failures, messageId: string, error: Error | undefined): void {
  if (error !== undefined) failures.set(messageId, error);
}
