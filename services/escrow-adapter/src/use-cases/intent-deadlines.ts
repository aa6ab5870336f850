import { toEpochMs, type Clock } from '@holdfast/kernel/context';
import type { Intent, RunResult } from '@holdfast/intents';

/** How long an intent without an open transaction is retried. Waiting is limited by time: runs that wait are not counted as attempts. */
export type IntentDeadlines = {
  /**
   * Soon the request that waits gets its time limit. Until then an intent is retried after passing errors; from then on it fails
   * because of them, and a deployment without a known outcome is reported as unconfirmed.
   */
  readonly isGivenUp: (intent: Pick<Intent, 'createdAt'>) => boolean;
  /**
   * It has waited too long for the call budget, or for a provider that refuses calls or does not know the contract yet. Where it is not
   * known how long it has waited its age decides.
   */
  readonly isOverdue: (intent: Pick<Intent, 'createdAt'>, waitedMs?: number) => boolean;
  /** The result of a run that has to wait; the older the intent, the longer. */
  readonly retryLater: (intent: Pick<Intent, 'createdAt'>) => Exclude<RunResult, 'closed'>;
};

export type DeadlineLimits = { readonly giveUpAfterMs: number; readonly waitMsMax: number };

const retryMsMin = 250;
const retryMsMaxWhileWaiting = 2_000;
const retryMsMax = 10_000;
const ageToRetryRatio = 10;

export function intentDeadlines(clock: Clock, { giveUpAfterMs, waitMsMax }: DeadlineLimits): IntentDeadlines {
  const ageMsOf = ({ createdAt }: Pick<Intent, 'createdAt'>): number => clock.epochMs() - toEpochMs(createdAt);
  const isGivenUp = (intent: Pick<Intent, 'createdAt'>): boolean => ageMsOf(intent) >= giveUpAfterMs;
  return {
    isGivenUp,
    isOverdue: (intent, waitedMs = ageMsOf(intent)) => waitedMs >= waitMsMax,
    retryLater: (intent) => {
      const longestMs = isGivenUp(intent) ? retryMsMax : retryMsMaxWhileWaiting;
      const retryInMs = Math.min(Math.max(Math.ceil(ageMsOf(intent) / ageToRetryRatio), retryMsMin), longestMs);
      return { retryInMs, isUncounted: true };
    },
  };
}

const answerMs = 5_000;

/** Before the time limit of a request, so that it gets the failure, but never before half of the limit. */
export function giveUpAfterMsOf(settlementTimeoutMs: number): number {
  return Math.max(settlementTimeoutMs - answerMs, settlementTimeoutMs / 2);
}
