import { xdr } from '@stellar/stellar-sdk';

/** The decoded parts of an unsigned envelope with one contract call. Falsifications change them in place. */
export type OpenedTransaction = {
  readonly transaction: xdr.Transaction;
  readonly functionName: string;
  /** The contract call of the operation, and the same call as root of its authorization. */
  readonly calls: readonly [xdr.InvokeContractArgs, xdr.InvokeContractArgs];
  readonly authorization: xdr.SorobanAuthorizationEntry;
  /** The falsified envelope. */
  readonly toXdr: () => string;
};

export function openTransaction(envelopeXdr: string): OpenedTransaction {
  const envelope = xdr.TransactionEnvelope.fromXDR(envelopeXdr, 'base64');
  const transaction = envelope.v1().tx();
  const operation = required(transaction.operations()[0]).body().invokeHostFunctionOp();
  const authorization = required(operation.auth()[0]);
  const call = operation.hostFunction().invokeContract();
  return {
    transaction,
    functionName: call.functionName().toString(),
    calls: [call, authorization.rootInvocation().function().contractFn()],
    authorization,
    toXdr: () => envelope.toXDR('base64'),
  };
}

export type Change = (value: xdr.ScVal) => xdr.ScVal;

export function changeArgument(calls: readonly xdr.InvokeContractArgs[], index: number, change: Change): void {
  for (const call of calls) call.args(call.args().map((value, at) => (at === index ? change(value) : value)));
}

/** The only transfer that a funding authorizes. */
export function transferOf({ authorization }: OpenedTransaction): xdr.InvokeContractArgs {
  return required(authorization.rootInvocation().subInvocations()[0]).function().contractFn();
}

/** The envelopes are the provider's own, so a missing part is a bug of the sandbox. */
export function required<T>(part: T | null | undefined): T {
  if (part === null || part === undefined) throw new Error('the built transaction does not have the expected form');
  return part;
}
