import { uncountedWhileStopped, type EmergencyStop, type Handler } from '@holdfast/intents';
import { requireContract } from './use-cases/require-contract.js';
import { deployContract } from './use-cases/deploy-contract.js';
import { fundContract } from './use-cases/fund-contract.js';
import type { Deps, IntentKind } from './use-cases/ports.js';
import { payOut } from './use-cases/pay-out.js';
import { settleContract } from './use-cases/settle-contract.js';

/** Kind of intent → use case. */
export function intentHandlers(deps: () => Deps, emergencyStop: EmergencyStop): Readonly<Record<IntentKind, Handler>> {
  const handle = (useCase: typeof deployContract): Handler =>
    uncountedWhileStopped(emergencyStop, async (intent, signal) =>
      useCase(deps(), { intent, contract: await requireContract(deps(), intent), signal }),
    );
  return {
    deploy: handle(deployContract),
    fund: handle(fundContract),
    settle: handle(settleContract),
    payout: uncountedWhileStopped(emergencyStop, (intent, signal) => payOut(deps(), { intent, signal })),
  };
}
