import { z } from 'zod';
import { durationMsSetting } from './setting.js';

type Defaults = { readonly delayMs: number; readonly timeoutMs: number };

/** The default of a process: balancers need seconds to notice that it is no longer ready. */
const shutdownDefaults: Defaults = { delayMs: 5_000, timeoutMs: 25_000 };

const longestMs = 600_000;

/** How a process stops; see the ADR on the operations port and two-phase stop. */
export function shutdownSettings({ delayMs, timeoutMs }: Defaults = shutdownDefaults) {
  return z.object({
    shutdownDelayMs: durationMsSetting({
      description:
        'How long the process still serves after SIGTERM while /readyz is already 503, so that new requests go elsewhere',
      default: delayMs,
      min: 0,
      max: longestMs,
    }),
    shutdownTimeoutMs: durationMsSetting({
      description: 'How long it may take after that to end open requests, streams, messages and batches; what remains is cut off',
      default: timeoutMs,
      min: 1_000,
      max: longestMs,
    }),
  });
}
