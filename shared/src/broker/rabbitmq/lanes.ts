import { createBatcher, type Batcher } from '../../batching/index.js';
import type { Topology, TopologyQueue } from '../broker.js';
import type { Serialized } from '../publishing.js';
import { shipmentsOf } from './bundles.js';
import type { Names } from './names.js';
import type { Publisher } from './publisher.js';

export type LaneOptions = { readonly topology: Topology; readonly names: Names; readonly publisher: Pick<Publisher, 'send'> };

/** What one call publishes to one queue. */
export type Load = {
  readonly members: readonly Serialized[];
  /** Whoever published it no longer waits and will publish it again: it need not be sent any more. */
  isGivenUp: boolean;
};

/** Says of which messages it is not certain that the queue has them; of loads that travelled together, all in one. */
export type Lane = Batcher<Load, ReadonlyMap<string, Error>>;

/** Loads that share a write, and writes that wait for their confirms at one time. */
const loadsMax = 64;
const sendsInFlightMax = 8;
/** How long a load waits for company while another one is under way. */
const gatherMs = 1;
const waitingMax = 20_000;

/**
 * One lane for each queue, and none waits for another. That of the event log takes its time: events say what they come after, so
 * the log has their order however they arrive.
 */
export function createLanes(options: LaneOptions): ReadonlyMap<string, Lane> {
  return new Map(options.topology.queues.map((queue) => [queue.name, createLane(options, queue)]));
}

function createLane({ names, publisher }: LaneOptions, { name, spacingMs = 0 }: TopologyQueue): Lane {
  return createBatcher<Load, ReadonlyMap<string, Error>>({
    run: async (loads) => {
      const wanted = loads.filter(({ isGivenUp }) => !isGivenUp);
      const shipments = shipmentsOf(
        wanted.flatMap(({ members }) => members),
        name,
        names,
      );
      const outcomes = await publisher.send(shipments.map(({ outgoing }) => outgoing));
      const failures = new Map<string, Error>();
      shipments.forEach(({ messageIds }, index) => {
        const error = outcomes[index];
        if (error !== undefined) for (const messageId of messageIds) failures.set(messageId, error);
      });
      return loads.map(() => ({ status: 'fulfilled', value: failures }));
    },
    sizeMax: loadsMax,
    waitMs: gatherMs,
    spacingMs,
    inFlightMax: sendsInFlightMax,
    waitingMax,
    overflow: () => new Error(`more than ${waitingMax} messages wait to be published already`),
  });
}
