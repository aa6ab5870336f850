import { Address, scValToNative, StrKey, xdr } from '@stellar/stellar-sdk';

export type Differences = Readonly<Record<string, readonly [before: string | undefined, after: string | undefined]>>;

/** What differs between two envelopes, by the path of each field. */
export function differences(before: string, after: string): Differences {
  const [one, other] = [new Map(fieldsOf(before)), new Map(fieldsOf(after))];
  const paths = [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path));
  return Object.fromEntries(paths.map((path) => [path, [one.get(path), other.get(path)] as const]));
}

type Field = readonly [path: string, value: string];

function fieldsOf(envelopeXdr: string): readonly Field[] {
  const { v1 } = { v1: xdr.TransactionEnvelope.fromXDR(envelopeXdr, 'base64').v1() };
  const transaction = v1.tx();
  const bounds = transaction.cond().timeBounds();
  return [
    ['source', StrKey.encodeEd25519PublicKey(transaction.sourceAccount().ed25519())],
    ['sequence', transaction.seqNum().toString()],
    ['fee', String(transaction.fee())],
    ['minTime', bounds.minTime().toString()],
    ['maxTime', bounds.maxTime().toString()],
    ['memo', transaction.memo().switch().name],
    ['soroban', transaction.ext().sorobanData().toXDR('base64')],
    ['signatures', String(v1.signatures().length)],
    ...transaction.operations().flatMap((operation, index) => operationFields(`operations.${index}`, operation)),
  ];
}

function operationFields(path: string, operation: xdr.Operation): readonly Field[] {
  const body = operation.body();
  if (body.switch() !== xdr.OperationType.invokeHostFunction()) return [[path, body.switch().name]];
  const { hostFunction, auth } = {
    hostFunction: body.invokeHostFunctionOp().hostFunction(),
    auth: body.invokeHostFunctionOp().auth(),
  };
  return [
    ...callFields('call', hostFunction.invokeContract()),
    ...auth.flatMap((entry, index) => [
      [`auth.${index}.credentials`, credentialText(entry.credentials())] as const,
      ...invocationFields(`auth.${index}`, entry.rootInvocation()),
    ]),
  ];
}

function credentialText(credentials: xdr.SorobanCredentials): string {
  if (credentials.switch() === xdr.SorobanCredentialsType.sorobanCredentialsSourceAccount()) return 'source account';
  return `address ${Address.fromScAddress(credentials.address().address()).toString()}`;
}

function invocationFields(path: string, invocation: xdr.SorobanAuthorizedInvocation): readonly Field[] {
  return [
    ...callFields(path, invocation.function().contractFn()),
    ...invocation.subInvocations().flatMap((below, index) => invocationFields(`${path}.below.${index}`, below)),
  ];
}

function callFields(path: string, call: xdr.InvokeContractArgs): readonly Field[] {
  return [
    [`${path}.contract`, Address.fromScAddress(call.contractAddress()).toString()],
    [`${path}.function`, call.functionName().toString()],
    ...call.args().flatMap((value, index) => valueFields(`${path}.args.${index}`, value)),
  ];
}

/** With the wire type, and every field of structs and every item of vectors by itself. */
function valueFields(path: string, value: xdr.ScVal): readonly Field[] {
  if (value.switch() === xdr.ScValType.scvVec()) {
    return (value.vec() ?? []).flatMap((item, index) => valueFields(`${path}.${index}`, item));
  }
  if (value.switch() === xdr.ScValType.scvMap()) {
    return (value.map() ?? []).flatMap((entry) => valueFields(`${path}.${String(scValToNative(entry.key()))}`, entry.val()));
  }
  return [[path, `${value.switch().name.slice('scv'.length).toLowerCase()} ${String(scValToNative(value))}`]];
}
