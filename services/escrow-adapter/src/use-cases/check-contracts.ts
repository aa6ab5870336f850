import { toInstant, type Instant } from '@holdfast/kernel/context';
import { isDeployed } from '../domain/contract.js';
import { publishExternalChanges } from './detect-external-changes.js';
import type { Deps } from './ports.js';

/** Contracts per provider call, and calls per run of the job. */
const contractsMax = 20;
const callsMax = 10;
const backgroundPriority = 9;

/** Reads funded contracts from the provider, least recently checked first, and publishes external changes. */
export async function checkContracts(deps: Deps, checkEveryMs: number): Promise<void> {
  const before = toInstant(deps.clock.epochMs() - checkEveryMs);
  for (let calls = 0; calls < callsMax; calls += 1) if ((await checkBatch(deps, before)) < contractsMax) return;
}

async function checkBatch(deps: Deps, before: Instant): Promise<number> {
  const contracts = (await deps.contracts.claimUnchecked(before, contractsMax)).filter(isDeployed);
  if (contracts.length === 0) return 0;
  const ids = contracts.map(({ contractId }) => contractId);
  const found = await deps.provider.read(ids, { priority: backgroundPriority });
  const states = new Map(found.map(({ contractId, state }) => [contractId, state]));
  for (const contract of contracts) {
    const state = states.get(contract.contractId);
    if (state !== undefined) await publishExternalChanges(deps, contract, state);
  }
  return contracts.length;
}
