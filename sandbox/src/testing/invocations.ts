import {
  Address,
  Operation,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr,
  type Keypair,
  type Transaction,
} from '@stellar/stellar-sdk';
import type { RunningSandbox, TestResponse } from './running-sandbox.js';

export type Called = { readonly contractId: string; readonly functionName: string; readonly args: readonly xdr.ScVal[] };

/** The one call of an envelope, with its authorization and resources. */
export function calledIn(envelopeXdr: string, passphrase: string) {
  const transaction = TransactionBuilder.fromXDR(envelopeXdr, passphrase) as Transaction;
  const [operation, ...others] = transaction.operations;
  if (operation?.type !== 'invokeHostFunction' || others.length > 0) throw new Error('an envelope must have one contract call');
  const invocation = operation.func.invokeContract();
  return {
    transaction,
    contractId: Address.fromScAddress(invocation.contractAddress()).toString(),
    functionName: invocation.functionName().toString(),
    args: invocation.args(),
    auth: operation.auth ?? [],
    resources: transaction.toEnvelope().v1().tx().ext().sorobanData(),
  };
}

function invokeArgs({ contractId, functionName, args }: Called): xdr.InvokeContractArgs {
  const contractAddress = Address.fromString(contractId).toScAddress();
  return new xdr.InvokeContractArgs({ contractAddress, functionName, args: [...args] });
}

export function authorized(
  called: Called,
  ...below: readonly xdr.SorobanAuthorizedInvocation[]
): xdr.SorobanAuthorizedInvocation {
  const root = xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invokeArgs(called));
  return new xdr.SorobanAuthorizedInvocation({ function: root, subInvocations: [...below] });
}

export function sourceAuthorization(rootInvocation: xdr.SorobanAuthorizedInvocation): xdr.SorobanAuthorizationEntry {
  const credentials = xdr.SorobanCredentials.sorobanCredentialsSourceAccount();
  return new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation });
}

export type InvocationOptions = {
  readonly auth?: readonly xdr.SorobanAuthorizationEntry[];
  /** Without resources the transaction has no data about them. */
  readonly hasResources?: boolean;
  readonly fee?: string;
  readonly operations?: number;
};

const resourceFee = 50_000;

/** Signs a call that a test has written, and submits it at the escrow provider. */
export async function invoke(
  sandbox: RunningSandbox,
  key: Keypair,
  called: Called,
  options: InvocationOptions = {},
): Promise<TestResponse> {
  const { auth = [sourceAuthorization(authorized(called))], hasResources = true, fee = '100', operations = 1 } = options;
  const account = await sandbox.horizon.loadAccount(key.publicKey());
  const func = xdr.HostFunction.hostFunctionTypeInvokeContract(invokeArgs(called));
  const builder = new TransactionBuilder(account, { fee, networkPassphrase: sandbox.networkPassphrase }).setTimeout(60);
  for (let count = 0; count < operations; count += 1) {
    builder.addOperation(Operation.invokeHostFunction({ func, auth: [...auth] }));
  }
  if (hasResources) builder.setSorobanData(new SorobanDataBuilder().setResourceFee(resourceFee).build());
  const transaction = builder.build();
  transaction.sign(key);
  return sandbox.send(transaction);
}
