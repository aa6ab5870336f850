import { z } from 'zod';

/** A task of the receiver process. */
export const receiverTask = z.discriminatedUnion('kind', [
  /** Forgets what was received so far. */
  z.object({ kind: z.literal('begin') }),
  /** Replies once this many different webhooks have arrived, or after the time limit. */
  z.object({ kind: z.literal('collect'), count: z.int(), timeoutMs: z.int() }),
]);
export type ReceiverTask = Readonly<z.output<typeof receiverTask>>;

export const receiverReport = z.object({
  /** Different webhooks: the same event at two endpoints is two. */
  received: z.int(),
  repeated: z.int(),
  /** The times from the publication of each event to its arrival. */
  latenciesMs: z.array(z.number()),
});
export type ReceiverReport = Readonly<z.output<typeof receiverReport>>;

export const receiverPorts = z.object({
  port: z.int(),
  /** Takes connections and never responds. */
  deadPort: z.int(),
});
