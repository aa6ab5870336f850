import { withTimeout } from '@holdfast/kernel/async';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { MarketplaceId, SagaRunId, WithdrawalId } from '@holdfast/kernel/ids';
import type { Withdrawal } from '../domain/withdrawal.js';
import { requireWithdrawal } from './require-withdrawal.js';
import type { Deps } from './ports.js';

type Waiting = { readonly marketplaceId: MarketplaceId; readonly id: WithdrawalId };

/** Intent, saga of the payout, saga that ends the withdrawal, and one more. */
const waitsMax = 4;

/**
 * Waits until no saga run or intent acts on the withdrawal, and returns it. At the time limit: the current withdrawal if
 * `isEnough` accepts it, else PROVIDER_TIMEOUT, while the work continues.
 */
export async function waitForWithdrawal(
  deps: Deps,
  waiting: Waiting,
  isEnough: (withdrawal: Withdrawal) => boolean,
): Promise<Withdrawal> {
  const timedOut = (): AppError => new AppError('PROVIDER_TIMEOUT', { withdrawalId: waiting.id });
  try {
    return await withTimeout(waitUntilIdle(deps, waiting), deps.settings.timeoutMs, timedOut);
  } catch (error) {
    if (!isAppError(error, 'PROVIDER_TIMEOUT')) throw error;
    const current = await requireWithdrawal(deps, waiting);
    if (isEnough(current)) return current;
    throw timedOut();
  }
}

async function waitUntilIdle(deps: Deps, waiting: Waiting): Promise<Withdrawal> {
  for (let waits = 0; waits < waitsMax; waits += 1) {
    const withdrawal = await requireWithdrawal(deps, waiting);
    if (withdrawal.activeRun !== null) await deps.runs.wait(withdrawal.activeRun.runId, deps.settings.timeoutMs);
    else if (!(await waitForIntent(deps, waiting.id))) return withdrawal;
  }
  return requireWithdrawal(deps, waiting);
}

/** Returns whether there was an open intent. */
async function waitForIntent(deps: Deps, id: WithdrawalId): Promise<boolean> {
  const intentId = await deps.intents.findOpen(id);
  if (intentId === undefined) return false;
  if (await deps.intents.waitUntilClosed(intentId, deps.settings.timeoutMs)) return true;
  throw new AppError('PROVIDER_TIMEOUT');
}

/** Waits for a saga run; its failure is thrown with its code. */
export async function waitForRun(deps: Deps, id: WithdrawalId, runId: SagaRunId): Promise<void> {
  const outcome = await deps.runs.wait(runId, deps.settings.timeoutMs).catch((error: unknown) => {
    if (!isAppError(error, 'PROVIDER_TIMEOUT')) throw error;
    throw new AppError('PROVIDER_TIMEOUT', { withdrawalId: id }, { cause: error });
  });
  if (outcome.status === 'failed') throw new AppError(outcome.code, outcome.details);
}
