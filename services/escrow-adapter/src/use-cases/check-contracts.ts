import { toInstant, type Instant } from '@holdfast/kernel/context';
import { isDeployed, type DeployedContract } from '../domain/contract.js';
import type { ContractState } from '../domain/contract-state.js';
import { publishExternalChanges } from './detect-external-changes.js';
import { extendLifetimes } from './extend-lifetimes.js';
import type { Deps } from './ports.js';
import { ContractNotShown, refOf, stateIn } from './read-state.js';
import { restoreContract } from './restore-contract.js';
import type { ContractEntries } from './entry-ports.js';

/** Contracts per call of the network, and calls per run of the job. */
const contractsMax = 20;
const callsMax = 10;

/** Reads funded contracts from the network, least recently checked first, and publishes external changes. */
export async function checkContracts(deps: Deps, checkEveryMs: number): Promise<void> {
  const before = toInstant(deps.clock.epochMs() - checkEveryMs);
  for (let calls = 0; calls < callsMax; calls += 1) if ((await checkBatch(deps, before)) < contractsMax) return;
}

async function checkBatch(deps: Deps, before: Instant): Promise<number> {
  const contracts = (await deps.contracts.claimUnchecked(before, contractsMax)).filter(isDeployed);
  if (contracts.length === 0) return 0;
  const entries = await deps.rpc.contractEntries(contracts.map((contract) => refOf(deps, contract)));
  for (const contract of contracts) {
    const state = await tryStateIn(deps, contract, entries);
    if (state !== undefined) await publishExternalChanges(deps, contract, state);
  }
  await extendLifetimes(deps, contracts, entries);
  return contracts.length;
}

/**
 * A contract that the network does not show as it must be is checked again later; it must not hold up the others. An archived one is
 * restored.
 */
async function tryStateIn(deps: Deps, contract: DeployedContract, entries: ContractEntries): Promise<ContractState | undefined> {
  try {
    return stateIn(deps, contract, entries);
  } catch (error) {
    if (error instanceof ContractNotShown && (await isRestored(deps, contract))) return undefined;
    deps.log.warn({ escrowId: contract.escrowId, contractId: contract.contractId, error }, 'contract cannot be checked');
    return undefined;
  }
}

/** A restoration that is still open is looked up later. */
function isRestored(deps: Deps, contract: DeployedContract): Promise<boolean> {
  return restoreContract(deps, contract).catch(() => false);
}
