import type { xdr } from '@stellar/stellar-sdk';
import { invokeContractArgs, type ContractCall, type Invocation } from '../contract-calls/contract-call.js';
import * as wire from '../contract-calls/wire-values.js';
import { contractRefusal } from '../domain/operation-failure.js';
import type { SubmittedOperation } from './submitted-transaction.js';

type Operation = Extract<SubmittedOperation, { kind: 'contract_call' }>;

/**
 * The caller must be the source account of the operation and have authorized exactly this call with its credentials. A funding
 * also needs the authorization of its transfer below the call. `token` is the token of the called contract, if it has one.
 */
export function requireAuthorization(operation: Operation, { call }: ContractCall, token: string | undefined): void {
  const roots = requireCaller(operation, call.caller);
  if (call.name !== 'fund_escrow' || token === undefined) return;
  const transfer = transferInvocation(token, { from: call.caller, to: operation.contractId, units: call.units });
  const isAuthorized = roots.some((root) => root.subInvocations().some((below) => isCallOf(below, transfer)));
  if (!isAuthorized) throw contractRefusal('The caller has not authorized the transfer of the tokens');
}

/** Returns the authorizations of exactly this call, at least one. */
export function requireCaller(operation: Operation, caller: string): readonly xdr.SorobanAuthorizedInvocation[] {
  if (caller !== operation.source) throw contractRefusal('The caller has not authorized the call');
  const roots = operation.authorizations.map(sourceAuthorization).filter((root) => isCallOf(root, operation));
  if (roots.length === 0) throw contractRefusal('The caller has not authorized the call');
  return roots;
}

function sourceAuthorization(entry: xdr.SorobanAuthorizationEntry): xdr.SorobanAuthorizedInvocation {
  const credentials = entry.credentials().switch().name;
  if (credentials !== 'sorobanCredentialsSourceAccount') {
    throw contractRefusal('Credentials of an address are not supported by the sandbox');
  }
  return entry.rootInvocation();
}

function isCallOf(authorized: xdr.SorobanAuthorizedInvocation, invocation: Invocation): boolean {
  const called = authorized.function();
  if (called.switch().name !== 'sorobanAuthorizedFunctionTypeContractFn') return false;
  return called.contractFn().toXDR().equals(invokeContractArgs(invocation).toXDR());
}

type TokenTransfer = { readonly from: string; readonly to: string; readonly units: bigint };

/** The call of a token's contract that moves tokens. */
export function transferInvocation(token: string, { from, to, units }: TokenTransfer): Invocation {
  const values = [wire.address(from), wire.address(to), wire.i128(units)];
  return { contractId: token, functionName: 'transfer', arguments: values };
}
