import {
  Account,
  Address,
  Asset,
  Keypair,
  nativeToScVal,
  Operation,
  rpc,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import type { Sandbox } from '@holdfast/sandbox';
import { submitOutside } from './submit-outside.js';
import { faucet } from './outside-payments.js';

/** A stranger has an account on the network and nothing to do with the platform. */
export type Stranger = {
  readonly address: string;
  readonly usdc: Asset;
  /** Lands a transaction with these operations. */
  readonly act: (...operations: readonly xdr.Operation[]) => Promise<void>;
  /** Lands a call of the `transfer` of USDC's contract. */
  readonly transferByContract: (to: string, units: bigint) => Promise<void>;
};

export async function aStranger(sandbox: Sandbox): Promise<Stranger> {
  const { networkPassphrase, usdcIssuer } = sandbox;
  const key = Keypair.random();
  const address = key.publicKey();
  const usdc = new Asset('USDC', usdcIssuer);
  const server = new rpc.Server(sandbox.rpcUrl, { allowHttp: true });
  const built = async (operations: readonly xdr.Operation[]) => {
    const account = new Account(address, (await server.getAccount(address)).sequenceNumber());
    const builder = new TransactionBuilder(account, { fee: '1000', networkPassphrase });
    for (const operation of operations) builder.addOperation(operation);
    return builder.setTimeout(30);
  };
  const act: Stranger['act'] = async (...operations) => {
    const transaction = (await built(operations)).build();
    transaction.sign(key);
    await submitOutside(sandbox, transaction.toXDR());
  };
  await faucet(sandbox, { address, asset: 'XLM', amount: '1000' });
  await act(Operation.changeTrust({ asset: usdc }));
  await faucet(sandbox, { address, asset: 'USDC', amount: '1000' });
  return {
    address,
    usdc,
    act,
    transferByContract: async (to, units) => {
      const resources = new SorobanDataBuilder().setResourceFee(resourceFee).build();
      const called = [transferCall(usdc.contractId(networkPassphrase), { from: address, to, units })];
      const transaction = (await built(called)).setSorobanData(resources).build();
      transaction.sign(key);
      await submitOutside(sandbox, transaction.toXDR());
    },
  };
}

const resourceFee = 50_000;

type Transfer = { readonly from: string; readonly to: string; readonly units: bigint };

/** A transfer that the source account has authorized. */
function transferCall(contract: string, { from, to, units }: Transfer): xdr.Operation {
  const invocation = new xdr.InvokeContractArgs({
    contractAddress: Address.fromString(contract).toScAddress(),
    functionName: 'transfer',
    args: [new Address(from).toScVal(), new Address(to).toScVal(), nativeToScVal(units, { type: 'i128' })],
  });
  const rootInvocation = new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocation),
    subInvocations: [],
  });
  const credentials = xdr.SorobanCredentials.sorobanCredentialsSourceAccount();
  return Operation.invokeHostFunction({
    func: xdr.HostFunction.hostFunctionTypeInvokeContract(invocation),
    auth: [new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation })],
  });
}
