import { rpc, TransactionBuilder } from '@stellar/stellar-sdk';
import type { Sandbox } from '@holdfast/sandbox';
import { eventually } from '@holdfast/testing/eventually';

/** Submits a signed transaction without the service, and returns its hash once it has landed. A node may be behind. */
export async function submitOutside(
  { rpcUrl, networkPassphrase }: Pick<Sandbox, 'rpcUrl' | 'networkPassphrase'>,
  signedXdr: string,
): Promise<string> {
  const server = new rpc.Server(rpcUrl, { allowHttp: true });
  const { hash, status } = await server.sendTransaction(TransactionBuilder.fromXDR(signedXdr, networkPassphrase));
  if (status === 'ERROR') throw new Error('the network refuses the transaction');
  await eventually(async () => {
    const found = await server.getTransaction(hash);
    if (found.status !== rpc.Api.GetTransactionStatus.SUCCESS) throw new Error(`the transaction is ${status} ${found.status}`);
  });
  return hash;
}
