import type { Log } from '@holdfast/kernel/context';
import { contractTypes } from '../../domain/contract.js';
import { differingTerm } from '../../domain/stored-escrow.js';
import type { ContractRpc } from '../entry-ports.js';
import type { ContractExpectations, Contracts } from '../ports.js';

export type AdoptionDeps = {
  readonly rpc: Pick<ContractRpc, 'contractEntries'>;
  readonly expectations: Pick<ContractExpectations, 'wasmHashOf' | 'tokenOf'>;
  readonly contracts: Pick<Contracts, 'findRequested' | 'adopt'>;
  readonly platformAddress: string;
  readonly log: Log;
};

/** Returns whether one of these contracts on the network belongs to an order here. */
export type AdoptContracts = (contractIds: readonly string[]) => Promise<boolean>;

/**
 * A database that was restored has forgotten the contracts that were deployed since its backup. One that has our code and every term of
 * an order whose contract is still requested is the contract of that order: it must not be deployed and funded again.
 */
export function contractAdoption(deps: AdoptionDeps): AdoptContracts {
  return async (contractIds) => {
    const adopted = [];
    for (const contractId of contractIds) adopted.push(await adopt(deps, contractId));
    return adopted.includes(true);
  };
}

async function adopt({ rpc, expectations, contracts, platformAddress, log }: AdoptionDeps, contractId: string): Promise<boolean> {
  for (const type of contractTypes) {
    const { contracts: read } = await rpc.contractEntries([{ contractId, type, token: expectations.tokenOf('USDC') }]);
    const { wasmHash, escrow } = read.get(contractId) ?? {};
    if (wasmHash !== expectations.wasmHashOf(type) || escrow === undefined || escrow === 'unreadable') continue;
    const requested = await contracts.findRequested(escrow.terms.engagementId);
    if (requested?.type !== type) return false;
    const found = { ...requested, contractId, addresses: { ...requested.addresses, platform: platformAddress } };
    if (differingTerm(found, expectations.tokenOf(found.amount.currency), escrow.terms) !== undefined) return false;
    const { escrowId, orderId } = found;
    log.warn({ escrowId, orderId, contractId }, 'a contract that was forgotten was found on the network');
    return contracts.adopt(found);
  }
  return false;
}
