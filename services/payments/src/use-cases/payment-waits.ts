import { toEpochMs } from '@holdfast/kernel/context';
import { AppError, isAppError, type ErrorDetails } from '@holdfast/kernel/errors';
import type { MarketplaceId, SagaRunId, WithdrawalId } from '@holdfast/kernel/ids';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { Deps } from './ports.js';
import { requireWithdrawal } from './require-withdrawal.js';

/** Waits for a saga run; its failure is thrown with its code. PROVIDER_TIMEOUT at the time limit, while the saga continues. */
export async function waitForRun(deps: Deps, runId: SagaRunId, details: ErrorDetails): Promise<void> {
  const outcome = await deps.runs.wait(runId, deps.settings.timeoutMs).catch((error: unknown) => {
    if (!isAppError(error, 'PROVIDER_TIMEOUT')) throw error;
    throw new AppError('PROVIDER_TIMEOUT', details, { cause: error });
  });
  if (outcome.status === 'failed') throw new AppError(outcome.code, outcome.details);
}

/** Waits until the top-up has no open intent. PROVIDER_TIMEOUT at the time limit, while the work continues. */
export async function waitForIntents(deps: Deps, subject: string, details: ErrorDetails): Promise<void> {
  const limit = { leftMs: timeLeftOf(deps), details };
  let wasOpen = true;
  while (wasOpen) wasOpen = await waitForIntent(deps, subject, limit);
}

type Wanted = { readonly marketplaceId: MarketplaceId; readonly id: WithdrawalId };

/**
 * Waits until no saga run or intent acts on the withdrawal, and returns it. At the time limit: the current withdrawal if
 * `isEnough` accepts it, else PROVIDER_TIMEOUT, while the work continues.
 */
export async function waitForWithdrawal(
  deps: Deps,
  wanted: Wanted,
  isEnough: (withdrawal: Withdrawal) => boolean,
): Promise<Withdrawal> {
  const details = { withdrawalId: wanted.id };
  try {
    return await waitUntilIdle(deps, wanted, { leftMs: timeLeftOf(deps), details });
  } catch (error) {
    if (!isAppError(error, 'PROVIDER_TIMEOUT')) throw error;
    const current = await requireWithdrawal(deps, wanted);
    if (isEnough(current)) return current;
    throw new AppError('PROVIDER_TIMEOUT', details);
  }
}

type Limit = { readonly leftMs: () => number; readonly details: ErrorDetails };

async function waitUntilIdle(deps: Deps, wanted: Wanted, limit: Limit): Promise<Withdrawal> {
  for (;;) {
    const withdrawal = await requireWithdrawal(deps, wanted);
    if (withdrawal.activeRun !== null) await deps.runs.wait(withdrawal.activeRun.runId, limit.leftMs());
    else if (!(await waitForIntent(deps, wanted.id, limit))) return withdrawal;
  }
}

/** Returns whether there was an open intent. */
async function waitForIntent(deps: Deps, subject: string, { leftMs, details }: Limit): Promise<boolean> {
  const intentId = await deps.intents.findOpen(subject);
  if (intentId === undefined) return false;
  if (await deps.intents.waitUntilClosed(intentId, leftMs())) return true;
  throw new AppError('PROVIDER_TIMEOUT', details);
}

/** One time limit for all that a request waits for. */
function timeLeftOf({ clock, settings }: Deps): () => number {
  const until = toEpochMs(clock.now()) + settings.timeoutMs;
  return () => Math.max(0, until - toEpochMs(clock.now()));
}
