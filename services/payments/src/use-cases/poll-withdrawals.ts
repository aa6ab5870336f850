import type { Log } from '@holdfast/kernel/context';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { Deps } from './ports.js';
import { fetchStatus } from './refresh-withdrawal.js';

const batchMax = 50;

/** Asks the payment provider for the status of due withdrawals, so that nothing depends on its events. */
export async function pollWithdrawals(
  deps: Deps,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  let due: readonly Withdrawal[];
  do {
    if (signal.aborted) return;
    due = await deps.withdrawals.takeDue(batchMax);
    await Promise.all(due.map((withdrawal) => poll(deps, withdrawal, log)));
  } while (due.length === batchMax);
}

/** A poll that fails is repeated at the next due time. */
async function poll(deps: Deps, withdrawal: Withdrawal, log: Log): Promise<void> {
  const { id: withdrawalId } = withdrawal;
  try {
    await fetchStatus(deps, withdrawal, { requestId: `poll-${withdrawalId}`, at: deps.clock.now(), log });
  } catch (error) {
    log.warn({ withdrawalId, error }, 'payout could not be read from the payment provider');
  }
}
