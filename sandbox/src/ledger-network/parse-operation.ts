import { xdr, type Asset, type Operation, type Transaction } from '@stellar/stellar-sdk';
import { fromScAddress } from '../contract-calls/addresses.js';
import { decodeCall } from '../contract-calls/decode-call.js';
import { assetKey, nativeAsset, type AssetKey } from '../domain/assets.js';
import { parseUnits } from '../domain/units.js';
import type { SubmittedOperation } from './submitted-transaction.js';

export type OperationRecord = Transaction['operations'][number];

/** Converts an operation of the SDK; undefined for unsupported kinds. */
export function parseOperation(operation: OperationRecord, source: string): SubmittedOperation | undefined {
  switch (operation.type) {
    case 'createAccount':
      return { kind: 'create_account', source, destination: operation.destination, units: units(operation.startingBalance) };
    case 'payment':
      return parsePayment(operation, source);
    case 'changeTrust':
      return parseTrust(operation, source);
    case 'invokeHostFunction':
      return parseInvocation(operation, source);
    default:
      return undefined;
  }
}

function parsePayment({ destination, amount, asset }: Operation.Payment, source: string): SubmittedOperation | undefined {
  if (!destination.startsWith('G')) return undefined;
  return { kind: 'payment', source, to: destination, asset: keyOf(asset), units: units(amount) };
}

function parseTrust({ line, limit }: Operation.ChangeTrust, source: string): SubmittedOperation | undefined {
  if (!('getIssuer' in line)) return undefined;
  return { kind: 'change_trust', source, asset: keyOf(line), limitUnits: units(limit) };
}

function parseInvocation({ func }: Operation.InvokeHostFunction, source: string): SubmittedOperation | undefined {
  if (func.switch() !== xdr.HostFunctionType.hostFunctionTypeInvokeContract()) return undefined;
  const invocation = func.invokeContract();
  const contractId = fromScAddress(invocation.contractAddress());
  const functionName = invocation.functionName().toString();
  if (contractId === undefined) return undefined;
  return {
    kind: 'contract_call',
    source,
    contractId,
    functionName,
    call: decodeCall(contractId, functionName, invocation.args()),
  };
}

function keyOf(asset: Asset): AssetKey {
  return asset.isNative() ? nativeAsset : assetKey({ code: asset.getCode(), issuer: asset.getIssuer() });
}

/** The SDK formats amounts with seven decimals, so the fallback to zero is never used. */
function units(amount: string): bigint {
  return parseUnits(amount) ?? 0n;
}
