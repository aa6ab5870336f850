import { z } from 'zod';

/** The task of the load generator, and its result. */
export const loadTask = z.object({
  url: z.string(),
  method: z.enum(['GET', 'POST']),
  /** Requested in random order, different for each connection. */
  paths: z.array(z.string()).min(1).readonly(),
  headers: z.record(z.string(), z.string()),
  /** A header that has a new UUID in every request. */
  freshHeader: z.string().optional(),
  body: z.string(),
  connections: z.int(),
  seconds: z.int(),
});

export const loadResult = z.object({
  responses: z.int(),
  seconds: z.number(),
  latenciesMs: z.array(z.number()),
  errors: z.int(),
});

export type LoadTask = Readonly<z.output<typeof loadTask>>;
export type LoadResult = Readonly<z.output<typeof loadResult>>;
