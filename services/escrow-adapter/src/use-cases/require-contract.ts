import { isId } from '@holdfast/kernel/ids';
import { isDeployed, type Contract, type DeployedContract } from '../domain/contract.js';
import type { Intent } from '@holdfast/intents';
import type { Deps } from './ports.js';

/** Loads the contract that an intent acts on. It exists, because an intent is stored only with its contract. */
export async function requireContract({ contracts }: Deps, { id, subject }: Intent): Promise<Contract> {
  const contract = isId(subject, 'esc') ? await contracts.find(subject) : undefined;
  if (contract === undefined) throw new Error(`Intent ${id} acts on ${subject}, which is not a contract.`);
  return contract;
}

export function requireDeployed(contract: Contract): DeployedContract {
  if (!isDeployed(contract)) throw new Error(`Contract ${contract.escrowId} is not deployed.`);
  return contract;
}
