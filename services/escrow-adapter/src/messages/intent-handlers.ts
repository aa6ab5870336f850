import { IntentPaused, type Handler, type RunResult } from '@holdfast/intents';
import { uncountedWhileStopped, type EmergencyStop } from '@holdfast/intents/provider-controls';
import { isAppError } from '@holdfast/kernel/errors';
import type { Contract } from '../domain/contract.js';
import type { IntentContext } from '../use-cases/close-intent.js';
import type { IntentDeadlines } from '../use-cases/intent-deadlines.js';
import { requireContract } from '../use-cases/require-contract.js';
import { deployContract } from '../use-cases/deploy-contract.js';
import { fundContract } from '../use-cases/fund-contract.js';
import type { Deps, IntentKind } from '../use-cases/ports.js';
import { payOut } from '../use-cases/pay-out.js';
import { ContractBeingRestored } from '../use-cases/restore-contract.js';
import { settleContract } from '../use-cases/settle-contract.js';
import { withdrawRemaining } from '../use-cases/withdraw-remaining.js';

export type HandlerLimits = {
  /** How long an intent waits while its contract is being restored. */
  readonly restoringRetryMs: number;
};

const defaultLimits: HandlerLimits = { restoringRetryMs: 2_000 };

type ContractUseCase<Kind extends IntentKind> = (deps: Deps, context: IntentContext<Kind>) => Promise<RunResult>;

/** Kind of intent → use case. */
export function intentHandlers(
  deps: () => Deps,
  emergencyStop: EmergencyStop,
  { restoringRetryMs }: HandlerLimits = defaultLimits,
): Readonly<Record<IntentKind, Handler<Contract>>> {
  const guarded = (handler: Handler<Contract>): Handler<Contract> =>
    uncountedWhileStopped(
      emergencyStop,
      uncountedAtFirst(() => deps().deadlines, handler),
    );
  const handle = <Kind extends IntentKind>(kind: Kind, useCase: ContractUseCase<Kind>): Handler<Contract> =>
    guarded(async (intent, signal, stored) => {
      const contract = stored ?? (await requireContract(deps(), intent));
      return useCase(deps(), { intent: { ...intent, kind }, contract, signal }).catch(pauseWhileRestored(restoringRetryMs));
    });
  return {
    deploy: handle('deploy', deployContract),
    fund: handle('fund', fundContract),
    settle: handle('settle', settleContract),
    payout: guarded((intent, signal) => payOut(deps(), { intent, signal })),
    'withdraw-remaining': handle('withdraw-remaining', withdrawRemaining),
  };
}

const passingCodes = ['SERVICE_UNAVAILABLE', 'PROVIDER_TIMEOUT'] as const;

/** What cannot be reached for a while fails nothing: such runs are counted only when the time for passing errors is up. */
function uncountedAtFirst(deadlines: () => IntentDeadlines, handler: Handler<Contract>): Handler<Contract> {
  return async (intent, signal, stored) => {
    try {
      return await handler(intent, signal, stored);
    } catch (error) {
      const isPassing = passingCodes.some((code) => isAppError(error, code)) && !(error instanceof IntentPaused);
      if (!isPassing || deadlines().isGivenUp(intent)) throw error;
      return deadlines().retryLater(intent);
    }
  };
}

function pauseWhileRestored(retryMs: number): (error: unknown) => never {
  return (error) => {
    if (error instanceof ContractBeingRestored) throw new IntentPaused(error.message, retryMs);
    throw error;
  };
}
