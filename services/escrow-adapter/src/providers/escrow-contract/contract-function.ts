import type { Addresses, Contract } from '../../domain/contract.js';
import type { Party } from '../../domain/steps.js';
import type { ExpectedArguments, ExpectedInvocation } from '@holdfast/ledger-network/expectations';

/** The deployed code that a version of the contracts runs, and the addresses that go with it. */
export type ContractCode = {
  /** The contract that deploys the escrows. */
  readonly factory: string;
  /** Of the code of the escrows, in hex. */
  readonly wasmHash: string;
  /** The account that gets the provider's fee. */
  readonly feeAddress: string;
};

/** The terms of a contract, as they were sent to the provider. */
export type EscrowTerms = Pick<
  Contract,
  'type' | 'orderId' | 'title' | 'description' | 'amount' | 'platformFeeBasisPoints' | 'milestones'
> & {
  readonly addresses: Addresses;
  /** The contract of the escrowed token. */
  readonly token: string;
};

/** What every call knows; the other properties of a call come from its step. */
export type Call = {
  readonly code: ContractCode;
  readonly escrow: EscrowTerms;
  /** The address that the signature comes from. */
  readonly signer: string;
};
export type EscrowCall = Call & { readonly contractId: string };
export type MilestoneCall = EscrowCall & { readonly index?: number };
export type FundingCall = EscrowCall & { readonly units: bigint };
export type ResolutionCall = MilestoneCall & {
  readonly distributions: readonly { readonly to: Party; readonly units: bigint }[];
};

/** What is allowed to be signed for one function of a contract. */
export type ContractFunction<C extends Call = Call> = {
  readonly name: string;
  /** `payer`: the buyer or a channel account of the treasury. */
  readonly signedBy: Party | 'payer';
  readonly args: (call: C) => ExpectedArguments;
  /** What the contract may do in the name of the signer beyond the call itself. */
  readonly authorizes: (call: C) => readonly ExpectedInvocation[];
  /** In units of 10^-7 XLM: network fee and resources. */
  readonly feeUnitsMax: bigint;
};
