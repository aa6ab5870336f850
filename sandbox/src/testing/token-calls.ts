import { Address, Asset, nativeToScVal, type Keypair, type xdr } from '@stellar/stellar-sdk';
import { invoke, type InvocationOptions } from './invocations.js';
import type { RunningSandbox, TestResponse } from './running-sandbox.js';

export const address = (text: string): xdr.ScVal => new Address(text).toScVal();
export const i128 = (units: bigint): xdr.ScVal => nativeToScVal(units, { type: 'i128' });

type TokenCall = { readonly asset?: Asset; readonly name: string; readonly args: readonly xdr.ScVal[] };

/** Calls the contract of a token, USDC by default, with the authorization of the caller. */
export function callToken(
  sandbox: RunningSandbox,
  key: Keypair,
  { asset = new Asset('USDC', sandbox.usdcIssuer), name, args }: TokenCall,
  options?: InvocationOptions,
): Promise<TestResponse> {
  const contractId = asset.contractId(sandbox.networkPassphrase);
  return invoke(sandbox, key, { contractId, functionName: name, args }, options);
}
