import { xdr } from '@stellar/stellar-sdk';
import { invokeContractArgs, type Invocation } from '../contract-calls/contract-call.js';
import type { ContractEffect } from './apply-contract-call.js';
import { transferInvocation } from './authorization.js';
import { entriesOfCall, footprintOf, type Footprint } from './footprint.js';
import type { Genesis } from './genesis.js';
import type { LedgerView } from './ledger-view.js';

/** What a transaction needs besides the call itself. */
export type CallResources = {
  readonly footprint: Footprint;
  readonly resourceFeeUnits: bigint;
  /** What the caller authorizes below the call: transfers of its own tokens. */
  readonly subInvocations: readonly Invocation[];
};

const baseFeeUnits = { deployment: 200_000n, other: 50_000n } as const;
/** The fee for each entry that the transaction restores. */
const restoreFeeUnits = 100_000n;

export function callResources(
  genesis: Genesis,
  view: LedgerView,
  { contractId }: Invocation,
  { before, after, transfers }: ContractEffect,
): CallResources {
  const footprint = footprintOf(view, entriesOfCall(genesis, { contractId, after, transfers }));
  const spent = transfers.filter(({ from }) => from.startsWith('G'));
  return {
    footprint,
    resourceFeeUnits: resourceFee(footprint, before === undefined ? 'deployment' : 'other'),
    subInvocations: spent.map((transfer) => transferInvocation(after.token, transfer)),
  };
}

export function resourceFee({ archived }: Footprint, kind: keyof typeof baseFeeUnits = 'other'): bigint {
  return baseFeeUnits[kind] + restoreFeeUnits * BigInt(archived.length);
}

const [instructions, readBytes, writtenBytes] = [5_000_000, 10_000, 5_000];

/** The data about resources in an envelope. */
export function resourceData({ readOnly, readWrite, archived }: Footprint, feeUnits: bigint): xdr.SorobanTransactionData {
  const restored = new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: [...archived] });
  return new xdr.SorobanTransactionData({
    ext: archived.length === 0 ? new xdr.SorobanTransactionDataExt(0) : new xdr.SorobanTransactionDataExt(1, restored),
    resources: new xdr.SorobanResources({
      footprint: new xdr.LedgerFootprint({ readOnly: [...readOnly], readWrite: [...readWrite] }),
      instructions,
      diskReadBytes: readBytes,
      writeBytes: writtenBytes,
    }),
    resourceFee: new xdr.Int64(feeUnits),
  });
}

/** A call with the source account's authorization of itself and of the calls below it. */
export function authorizedOperation(invocation: Invocation, below: readonly Invocation[] = []): xdr.Operation {
  const call = invokeContractArgs(invocation);
  const hostFunction = xdr.HostFunction.hostFunctionTypeInvokeContract(call);
  const invoked = new xdr.InvokeHostFunctionOp({ hostFunction, auth: [sourceAuthorization(call, below)] });
  return new xdr.Operation({ sourceAccount: null, body: xdr.OperationBody.invokeHostFunction(invoked) });
}

/** The authorization of a call and of the calls below it by the source account. */
export function sourceAuthorization(call: xdr.InvokeContractArgs, below: readonly Invocation[]): xdr.SorobanAuthorizationEntry {
  const subInvocations = below.map((each) => authorizedInvocation(invokeContractArgs(each)));
  return new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation: authorizedInvocation(call, subInvocations),
  });
}

export function authorizedInvocation(call: xdr.InvokeContractArgs, subInvocations: xdr.SorobanAuthorizedInvocation[] = []) {
  const called = xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(call);
  return new xdr.SorobanAuthorizedInvocation({ function: called, subInvocations });
}
