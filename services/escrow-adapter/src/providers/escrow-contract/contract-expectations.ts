import { assetOf, type Addresses, type Contract, type DeployedContract } from '../../domain/contract.js';
import type { Step } from '../../domain/steps.js';
import type { ContractExpectations } from '../../use-cases/ports.js';
import { deployedContractId } from './contract-address.js';
import type { EscrowTerms } from './contract-function.js';
import { expectDeployment, expectStep, type ContractNetwork } from './expect-call.js';
import type { CallExpectation } from '@holdfast/ledger-network/expectations';
import type { TokenContracts } from '@holdfast/ledger-network/rpc';

export function contractExpectations(network: ContractNetwork, tokens: TokenContracts): ContractExpectations {
  const termsOf = (contract: Contract, addresses: Addresses): EscrowTerms => ({
    ...contract,
    addresses,
    token: tokens[assetOf(contract.amount.currency)],
  });
  const stepOf = (contract: DeployedContract, step: Step, payer = contract.addresses.buyer): CallExpectation => {
    const { contractId, addresses } = contract;
    return expectStep(network, { terms: termsOf(contract, addresses), contractId, payer }, step);
  };
  return {
    deployment: (contract, addresses) => expectDeployment(network, termsOf(contract, addresses)),
    step: stepOf,
    transfers: (contract, step) => stepOf(contract, step).transfers,
    wasmHashOf: (type) => network.versions[type].code.wasmHash,
    tokenOf: (currency) => tokens[assetOf(currency)],
    deployedContractId: ({ decoded }) => deployedContractId(decoded()),
  };
}
