import { toEpochMs } from '@holdfast/kernel/context';
import { AppError, type ErrorDetails } from '@holdfast/kernel/errors';
import type { Deps } from './ports.js';

/** Waits until the top-up, withdrawal or case has no open intent. PROVIDER_TIMEOUT at the time limit, while the work goes on. */
export async function waitForIntents(deps: Deps, subject: string, details: ErrorDetails): Promise<void> {
  const until = toEpochMs(deps.clock.now()) + deps.settings.timeoutMs;
  let open = await deps.intents.findOpen(subject);
  while (open !== undefined) {
    const leftMs = until - toEpochMs(deps.clock.now());
    const isClosed = leftMs > 0 && (await deps.intents.waitUntilClosed(open, leftMs));
    if (!isClosed) throw new AppError('PROVIDER_TIMEOUT', details);
    open = await deps.intents.findOpen(subject);
  }
}
