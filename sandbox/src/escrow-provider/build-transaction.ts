import { xdr } from '@stellar/stellar-sdk';
import { addressBytes } from '../contract-calls/addresses.js';
import { encodeCall } from '../contract-calls/encode-call.js';
import type { ContractCall } from '../contract-calls/contract-call.js';
import { contractRefusal } from '../domain/operation-failure.js';
import type { Network } from '../ledger-network/network.js';
import { contractCallFeeUnits } from '../ledger-network/validity.js';

/** How long a built transaction can be submitted. */
const validSeconds = 30;

/** The call as an unsigned transaction of its caller, after the contract has agreed to it as things stand. Changes nothing. */
export function buildTransaction(network: Network, call: ContractCall): string {
  const account = network.store.find('accounts', call.call.caller);
  if (account === undefined) throw contractRefusal(`The account ${call.call.caller} does not exist`);
  network.simulate(call);
  const maxTime = Math.floor(network.clock.epochMs() / 1_000) + validSeconds;
  return envelope(call, account.sequence + 1n, maxTime);
}

/** Put together from its parts, because the SDK's builder takes several times as long. */
function envelope(call: ContractCall, sequence: bigint, maxTime: number): string {
  const transaction = new xdr.Transaction({
    sourceAccount: xdr.MuxedAccount.keyTypeEd25519(addressBytes(call.call.caller)),
    fee: Number(contractCallFeeUnits),
    seqNum: xdr.Int64.fromString(sequence.toString()),
    cond: xdr.Preconditions.precondTime(
      new xdr.TimeBounds({ minTime: xdr.Uint64.fromString('0'), maxTime: xdr.Uint64.fromString(String(maxTime)) }),
    ),
    memo: xdr.Memo.memoNone(),
    operations: [operation(call)],
    ext: new xdr.TransactionExt(0),
  });
  return xdr.TransactionEnvelope.envelopeTypeTx(new xdr.TransactionV1Envelope({ tx: transaction, signatures: [] })).toXDR(
    'base64',
  );
}

function operation(call: ContractCall): xdr.Operation {
  const hostFunction = xdr.HostFunction.hostFunctionTypeInvokeContract(encodeCall(call));
  const body = xdr.OperationBody.invokeHostFunction(new xdr.InvokeHostFunctionOp({ hostFunction, auth: [] }));
  return new xdr.Operation({ sourceAccount: null, body });
}
