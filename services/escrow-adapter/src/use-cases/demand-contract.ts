import { isId } from '@holdfast/shared/ids';
import { isDeployed, type Contract, type DeployedContract } from '../domain/contract.js';
import type { Intent } from '../lanes/index.js';
import type { Deps } from './ports.js';

/** The contract that an intent acts on; both were stored in one commit, so it is there. */
export async function demandContract({ contracts }: Deps, { id, subject }: Intent): Promise<Contract> {
  const contract = isId(subject, 'esc') ? await contracts.find(subject) : undefined;
  if (contract === undefined) throw new Error(`Intent ${id} acts on ${subject}, which is no contract.`);
  return contract;
}

export async function demandDeployed(deps: Deps, intent: Intent): Promise<DeployedContract> {
  const contract = await demandContract(deps, intent);
  if (!isDeployed(contract)) throw new Error(`Contract ${contract.escrowId} is not deployed.`);
  return contract;
}
