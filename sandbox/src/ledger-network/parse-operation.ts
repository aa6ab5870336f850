import { Address, xdr, type Operation, type Transaction } from '@stellar/stellar-sdk';
import { assetKeyOf, destinationOf, unitsOf } from './operation-fields.js';
import { parseOffer } from './parse-offer.js';
import { isTransferRecord, parseTransfer } from './parse-transfer.js';
import type { SubmittedOperation } from './submitted-transaction.js';

export type OperationRecord = Transaction['operations'][number];

type Sent = {
  readonly source: string;
  readonly claimableBalanceId: () => string;
  /** The operation as it is in the envelope. */
  readonly body: () => xdr.OperationBody | undefined;
};

/** Converts an operation of the SDK; undefined for unsupported kinds. */
export function parseOperation(operation: OperationRecord, sent: Sent): SubmittedOperation | undefined {
  const { source } = sent;
  if (isTransferRecord(operation)) return parseTransfer(operation, sent);
  switch (operation.type) {
    case 'createAccount':
      return { kind: 'create_account', source, destination: operation.destination, units: unitsOf(operation.startingBalance) };
    case 'payment':
      return parsePayment(operation, source);
    case 'changeTrust':
      return parseTrust(operation, source);
    case 'beginSponsoringFutureReserves':
      return { kind: 'begin_sponsoring', source, sponsored: operation.sponsoredId };
    case 'endSponsoringFutureReserves':
      return { kind: 'end_sponsoring', source };
    case 'invokeHostFunction':
      return parseInvocation(operation, source);
    case 'extendFootprintTtl':
      return { kind: 'extend_footprint_ttl', source, extendTo: operation.extendTo };
    case 'restoreFootprint':
      return { kind: 'restore_footprint', source };
    default:
      return parseOffer(sent.body(), source);
  }
}

function parsePayment({ destination, amount, asset }: Operation.Payment, source: string): SubmittedOperation | undefined {
  const { address: to, muxed: toMuxed } = destinationOf(destination);
  return { kind: 'payment', source, to, toMuxed, asset: assetKeyOf(asset), units: unitsOf(amount) };
}

function parseTrust({ line, limit }: Operation.ChangeTrust, source: string): SubmittedOperation | undefined {
  if (!('getIssuer' in line)) return undefined;
  return { kind: 'change_trust', source, asset: assetKeyOf(line), limitUnits: unitsOf(limit) };
}

function parseInvocation({ func, auth = [] }: Operation.InvokeHostFunction, source: string): SubmittedOperation | undefined {
  if (func.switch() !== xdr.HostFunctionType.hostFunctionTypeInvokeContract()) return undefined;
  const invocation = func.invokeContract();
  return {
    kind: 'contract_call',
    source,
    contractId: Address.fromScAddress(invocation.contractAddress()).toString(),
    functionName: invocation.functionName().toString(),
    arguments: invocation.args(),
    authorizations: auth,
  };
}
