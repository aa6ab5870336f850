import type { Handler } from './lanes/index.js';
import { demandContract } from './use-cases/demand-contract.js';
import { deployContract } from './use-cases/deploy-contract.js';
import { fundContract } from './use-cases/fund-contract.js';
import type { Deps, IntentKind } from './use-cases/ports.js';
import { settleContract } from './use-cases/settle-contract.js';

/** Kind of intent → use case. */
export function handlersOf(deps: () => Deps): Readonly<Record<IntentKind, Handler>> {
  const handle =
    (work: typeof deployContract): Handler =>
    async (intent, signal) =>
      work(deps(), { intent, contract: await demandContract(deps(), intent), signal });
  return { deploy: handle(deployContract), fund: handle(fundContract), settle: handle(settleContract) };
}
