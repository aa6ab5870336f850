import { isId } from '@holdfast/kernel/ids';
import { isDeployed, type Contract, type DeployedContract } from '../domain/contract.js';
import type { Intent } from '../intents/index.js';
import type { Deps } from './ports.js';

/** The contract that an intent acts on; whoever stored the intent knew it, so it is there. */
export async function requireContract({ contracts }: Deps, { id, subject }: Intent): Promise<Contract> {
  const contract = isId(subject, 'esc') ? await contracts.find(subject) : undefined;
  if (contract === undefined) throw new Error(`Intent ${id} acts on ${subject}, which is no contract.`);
  return contract;
}

export function requireDeployed(contract: Contract): DeployedContract {
  if (!isDeployed(contract)) throw new Error(`Contract ${contract.escrowId} is not deployed.`);
  return contract;
}
