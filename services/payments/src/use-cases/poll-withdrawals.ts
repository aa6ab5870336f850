import { handleAllDue } from '@holdfast/kernel/async';
import type { Log } from '@holdfast/kernel/context';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { Deps } from './ports.js';
import { fetchStatus } from './refresh-withdrawal.js';

const batchWithdrawalsMax = 50;

/** Reads the status of all due withdrawals from the provider, so that nothing depends on its webhooks. */
export async function pollWithdrawals(
  deps: Deps,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  await handleAllDue({
    take: deps.withdrawals.takeDue,
    handle: (withdrawal) => poll(deps, withdrawal, log),
    batchMax: batchWithdrawalsMax,
    signal,
  });
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
