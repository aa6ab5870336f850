import type { DeployedContract } from '../domain/contract.js';
import type { ContractState } from '../domain/contract-state.js';
import { ProviderRefused, type CallOptions, type Deps } from './ports.js';

/** Returns the contract's state as the provider reads it from the ledger network. */
export async function readState(
  { provider }: Deps,
  { contractId }: DeployedContract,
  options: CallOptions,
): Promise<ContractState> {
  const [found] = await provider.read([contractId], options);
  if (found?.contractId !== contractId) throw new ProviderRefused('the provider does not know the contract');
  return found.state;
}

/** Like `readState`, but returns the reason instead of throwing. */
export async function tryReadState(
  deps: Deps,
  contract: DeployedContract,
  options: CallOptions,
): Promise<{ readonly state: ContractState } | { readonly reason: string }> {
  try {
    return { state: await readState(deps, contract, options) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : 'the provider cannot be read' };
  }
}
