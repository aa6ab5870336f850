import type { xdr } from '@stellar/stellar-sdk';
import { addressText } from '../envelopes/index.js';

/** A call of a contract's function. */
export type ContractCall = { readonly contract: string; readonly function: string; readonly args: readonly xdr.ScVal[] };

/** The call that a transaction makes, also inside a fee bump. Undefined if it is not exactly one call of a contract. */
export function contractCallIn(envelope: xdr.TransactionEnvelope): ContractCall | undefined {
  const [operation, ...others] = operationsIn(envelope);
  if (operation === undefined || others.length > 0) return undefined;
  const body = operation.body();
  if (body.switch().name !== 'invokeHostFunction') return undefined;
  const called = body.invokeHostFunctionOp().hostFunction();
  if (called.switch().name !== 'hostFunctionTypeInvokeContract') return undefined;
  const invocation = called.invokeContract();
  return {
    contract: addressText(invocation.contractAddress()),
    function: invocation.functionName().toString(),
    args: invocation.args(),
  };
}

function operationsIn(envelope: xdr.TransactionEnvelope): readonly xdr.Operation[] {
  switch (envelope.switch().name) {
    case 'envelopeTypeTx':
      return envelope.v1().tx().operations();
    case 'envelopeTypeTxFeeBump':
      return envelope.feeBump().tx().innerTx().v1().tx().operations();
    default:
      return [];
  }
}
