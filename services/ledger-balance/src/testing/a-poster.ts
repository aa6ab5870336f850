import type { Clock } from '@holdfast/kernel/context';
import type { NewId } from '@holdfast/kernel/ids';
import { createOutbox } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import { createAccountDirectory } from '../store/account-directory.js';
import { createPoster, type Poster } from '../store/poster.js';
import { eventOf } from '../use-cases/balance-events.js';

/** One of several replicas: a poster with its own cache. Its messages stay in the outbox. */
export function aPoster(database: Database, { clock, newId }: { readonly clock: Clock; readonly newId: NewId }): Poster {
  const relay = { handOver: () => undefined, limits: { sweepAfterMs: 60_000, resendAfterMs: 60_000 } };
  const outbox = createOutbox({ relay: relay as unknown as Parameters<typeof createOutbox>[0]['relay'], clock, newId });
  return createPoster({
    database,
    directory: createAccountDirectory(),
    outbox,
    eventOf,
    clock,
    newId,
    batchSizes: { observe: () => undefined },
    commitSeconds: { observe: () => undefined },
  });
}
