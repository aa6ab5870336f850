import { z } from 'zod';
import { logLevels } from '@holdfast/observability';

/** How a gateway of the benchmark is set up; everything else is as it always is. */
export const gatewayTask = z.object({
  adminUrl: z.string(),
  serviceUrl: z.string(),
  masterKey: z.string(),
  internalSecret: z.string(),
  logLevel: z.enum(logLevels),
  /** 0 switches it off. */
  rateLimitMax: z.int(),
  rateLimitStore: z.enum(['memory', 'postgres']),
});

export type GatewayTask = Readonly<z.output<typeof gatewayTask>>;
