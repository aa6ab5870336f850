import { Account, Asset, Operation, TransactionBuilder, type Keypair } from '@stellar/stellar-sdk';
import type { Sandbox } from '@holdfast/sandbox';
import { submitOutside } from './submit-outside.js';
import type { LedgerNetwork } from '@holdfast/ledger-network/horizon';

export type Payment = { readonly to: string; readonly asset: 'USDC' | 'XLM'; readonly amount: string };

/** The faucet creates and fills the payer's account when it is first needed. */
export async function payFromOutside(
  { sandbox, network }: { readonly sandbox: Sandbox; readonly network: LedgerNetwork },
  payer: Keypair,
  { to, asset, amount }: Payment,
): Promise<void> {
  const usdc = new Asset('USDC', sandbox.usdcIssuer);
  const submit = async (operation: ReturnType<typeof Operation.payment>): Promise<void> => {
    const account = await network.account(payer.publicKey());
    const source = new Account(payer.publicKey(), String(account?.sequence ?? 0n));
    const options = { fee: '1000', networkPassphrase: network.networkPassphrase };
    const transaction = new TransactionBuilder(source, options).addOperation(operation).setTimeout(30).build();
    transaction.sign(payer);
    await submitOutside(sandbox, transaction.toXDR());
  };
  if ((await network.account(payer.publicKey())) === undefined) {
    await faucet(sandbox, { address: payer.publicKey(), asset: 'XLM', amount: '10000' });
    await submit(Operation.changeTrust({ asset: usdc }));
    await faucet(sandbox, { address: payer.publicKey(), asset: 'USDC', amount: '10000' });
  }
  await submit(Operation.payment({ destination: to, asset: asset === 'XLM' ? Asset.native() : usdc, amount }));
}

export async function faucet(
  { controlUrl }: Sandbox,
  request: { readonly address: string; readonly asset: string; readonly amount: string },
) {
  const body = JSON.stringify(request);
  const response = await fetch(`${controlUrl}/faucet`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  expect(response.ok).toBe(true);
}
