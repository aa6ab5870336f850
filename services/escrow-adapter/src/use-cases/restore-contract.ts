import type { DeployedContract } from '../domain/contract.js';
import type { Deps } from './ports.js';
import type { TreasuryResult } from './treasury/ports.js';

export type RestoreDeps = Pick<Deps, 'rpc' | 'expectations' | 'changeLifetimes' | 'onLifetimesChanged' | 'log'>;

/** The restoration may still land. The next run looks it up or plans it again; until then the intent waits. */
export class ContractBeingRestored extends Error {
  constructor(contractId: string) {
    super(`the contract ${contractId} is being restored`);
    this.name = 'ContractBeingRestored';
  }
}

/**
 * Restores the entries of a contract if the network has archived them. False where it has not, or where it cannot be restored. Throws
 * ContractBeingRestored while the restoration is open.
 */
export async function restoreContract(deps: RestoreDeps, contract: DeployedContract): Promise<boolean> {
  const { escrowId, contractId } = contract;
  const result = await tryRestore(deps, contract);
  if (result === 'open' || result === 'expired') throw new ContractBeingRestored(contractId);
  if (result !== 'landed') return false;
  deps.onLifetimesChanged('restore', 1);
  deps.log.info({ escrowId, contractId }, 'archived contract restored');
  return true;
}

async function tryRestore(
  { changeLifetimes, rpc, expectations, log }: RestoreDeps,
  { escrowId, contractId, type, amount, status }: DeployedContract,
): Promise<TreasuryResult> {
  const archivable = {
    contractId,
    type,
    token: expectations.tokenOf(amount.currency),
    wasmHash: expectations.wasmHashOf(type),
    hasBalance: status === 'FUNDED',
  };
  try {
    return await changeLifetimes(() => rpc.planContractRestoration(archivable));
  } catch (error) {
    log.warn({ escrowId, contractId, error }, 'contract cannot be restored');
    return 'nothing';
  }
}
