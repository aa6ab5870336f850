import { z } from 'zod';

/** What the process of subscribers is told. */
export const subscriberTask = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('open'),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    count: z.int(),
    /** Events that each of them is expected to get before the answer is given; 0: as soon as all are connected. */
    awaits: z.int(),
  }),
  /** Forgets what was measured so far. */
  z.object({ kind: z.literal('begin') }),
  /** Answers once each has got this many since the beginning, or after the time limit. */
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

/** What the process of the service is told. It answers with how many events it has told. */
export const publishTask = z.object({
  marketplaceId: z.templateLiteral(['mkt_', z.string()]),
  count: z.int(),
  /** 0: all at once. */
  perSecond: z.int(),
});
export type PublishTask = Readonly<z.output<typeof publishTask>>;
