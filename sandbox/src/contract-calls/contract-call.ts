import { hash } from 'node:crypto';
import { StrKey, xdr } from '@stellar/stellar-sdk';
import type { EscrowCall, EscrowType } from '../domain/escrow.js';
import { scAddress } from './addresses.js';

export const deployFunctions = {
  tw_new_single_release_escrow: 'single-release',
  tw_new_multi_release_escrow: 'multi-release',
} as const satisfies Readonly<Record<string, EscrowType>>;

/** A call of a factory contract, which deploys an escrow contract. */
export type DeployCall = {
  readonly name: keyof typeof deployFunctions;
  readonly caller: string;
  /** In hex, as the salt. */
  readonly wasmHash: string;
  readonly salt: string;
  readonly initFunction: string;
  readonly initArguments: readonly xdr.ScVal[];
  readonly constructorArguments: readonly xdr.ScVal[];
};

export type ContractCall = { readonly contractId: string; readonly call: DeployCall | EscrowCall };

/** A call as it is in an envelope. */
export type Invocation = {
  readonly contractId: string;
  readonly functionName: string;
  readonly arguments: readonly xdr.ScVal[];
};

export function isDeployment(call: ContractCall['call']): call is DeployCall {
  return Object.hasOwn(deployFunctions, call.name);
}

type Deployment = { readonly networkId: Buffer; readonly factory: string; readonly salt: string };

/** The address of a contract follows from its factory and salt, so it is known before the deployment lands. */
export function contractIdOf({ networkId, factory, salt }: Deployment): string {
  const preimage = new xdr.ContractIdPreimageFromAddress({
    address: scAddress(factory),
    salt: Buffer.from(salt, 'hex'),
  });
  const contractIdPreimage = xdr.ContractIdPreimage.contractIdPreimageFromAddress(preimage);
  const hashed = new xdr.HashIdPreimageContractId({ networkId, contractIdPreimage });
  return StrKey.encodeContract(hash('sha256', xdr.HashIdPreimage.envelopeTypeContractId(hashed).toXDR(), 'buffer'));
}

export function invokeContractArgs(invocation: Invocation): xdr.InvokeContractArgs {
  return new xdr.InvokeContractArgs({
    contractAddress: scAddress(invocation.contractId),
    functionName: invocation.functionName,
    args: [...invocation.arguments],
  });
}
