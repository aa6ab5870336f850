import type { ContractType } from '../../domain/contract.js';
import { expectedTransfers } from '../../domain/expected-transfers.js';
import type { LedgerTransfer } from '@holdfast/ledger-network/values';
import type { Step } from '../../domain/steps.js';
import type { Call, ContractCode, ContractFunction, EscrowTerms } from './contract-function.js';
import type { ContractFunctions } from './contract-versions.js';
import type { CallExpectation } from '@holdfast/ledger-network/expectations';

/** The contracts on the configured network: one version for each type of contract. */
export type ContractNetwork = {
  readonly networkPassphrase: string;
  readonly versions: Readonly<Record<ContractType, { readonly functions: ContractFunctions; readonly code: ContractCode }>>;
};

export function expectDeployment(network: ContractNetwork, escrow: EscrowTerms): CallExpectation {
  const { functions, code } = network.versions[escrow.type];
  return expectCall(
    network,
    functions.deploy,
    { code, escrow, signer: escrow.addresses.buyer },
    { contract: code.factory, transfers: [] },
  );
}

export type DeployedEscrow = {
  readonly terms: EscrowTerms;
  readonly contractId: string;
  /** Signs the funding: the buyer or a channel account of the treasury. */
  readonly payer: string;
};

export function expectStep(network: ContractNetwork, deployed: DeployedEscrow, step: Step): CallExpectation {
  const { terms: escrow, contractId, payer } = deployed;
  const { functions, code } = network.versions[escrow.type];
  const signer = { ...escrow.addresses, payer }[functions[step.does].signedBy];
  const call = { code, escrow, contractId, signer };
  const { feeAddress } = code;
  const transfers = expectedTransfers({ contract: { ...escrow, contractId }, token: escrow.token, feeAddress, signer }, step);
  const effect = { contract: contractId, transfers };
  switch (step.does) {
    case 'fund':
      return expectCall(network, functions.fund, { ...step, ...call }, effect);
    case 'resolve':
    case 'withdrawRemaining':
      return expectCall(network, functions[step.does], { ...step, ...call }, effect);
    case 'complete':
    case 'approve':
    case 'release':
    case 'dispute':
      return expectCall(network, functions[step.does], { ...step, ...call }, effect);
  }
}

type ExpectedEffect = { readonly contract: string; readonly transfers: readonly LedgerTransfer[] };

function expectCall<C extends Call>(
  { networkPassphrase }: ContractNetwork,
  called: ContractFunction<C>,
  call: C,
  { contract, transfers }: ExpectedEffect,
): CallExpectation {
  return {
    networkPassphrase,
    signer: call.signer,
    call: { contract, function: called.name, args: called.args(call) },
    authorizes: called.authorizes(call),
    transfers,
    feeUnitsMax: called.feeUnitsMax,
  };
}
