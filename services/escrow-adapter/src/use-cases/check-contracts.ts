import { toInstant } from '@holdfast/shared/context';
import { isDeployed } from '../domain/contract.js';
import { tellOutsideFacts } from './look-for-outside-facts.js';
import type { Deps } from './ports.js';

const contractsMax = 20;
const leastUrgent = 9;

/** Asks the provider about funded contracts that nobody works on, the longest unasked ones first. One call answers for many. */
export async function checkContracts(deps: Deps, checkEveryMs: number): Promise<void> {
  const before = toInstant(deps.clock.epochMs() - checkEveryMs);
  const contracts = (await deps.contracts.takeUnchecked(before, contractsMax)).filter(isDeployed);
  if (contracts.length === 0) return;
  const ids = contracts.map(({ contractId }) => contractId);
  const states = new Map(
    (await deps.provider.read(ids, { priority: leastUrgent })).map(({ contractId, state }) => [contractId, state]),
  );
  for (const contract of contracts) {
    const state = states.get(contract.contractId);
    if (state !== undefined) await tellOutsideFacts(deps, contract, state);
  }
}
