import { z } from 'zod';

/** A task of the subscriber process. */
export const subscriberTask = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('open'),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    count: z.int(),
    /** Events that each of them receives before the reply is sent; 0: as soon as all are connected. */
    awaits: z.int(),
  }),
  /** Forgets what was measured so far. */
  z.object({ kind: z.literal('begin') }),
  /** Replies once each has received this many since the start, or after the time limit. */
  z.object({ kind: z.literal('collect'), events: z.int(), timeoutMs: z.int() }),
  z.object({ kind: z.literal('close') }),
]);
export type SubscriberTask = Readonly<z.output<typeof subscriberTask>>;

export const subscriberReport = z.object({
  received: z.int(),
  latenciesMs: z.array(z.number()),
  /** Milliseconds from the first connection until each subscriber had what it awaited. */
  readyMs: z.array(z.number()),
});
export type SubscriberReport = Readonly<z.output<typeof subscriberReport>>;

/** A task of the service process. It replies with the number of published events. */
export const publishTask = z.object({
  marketplaceId: z.templateLiteral(['mkt_', z.string()]),
  count: z.int(),
  /** 0: all at once. */
  perSecond: z.int(),
});
export type PublishTask = Readonly<z.output<typeof publishTask>>;
