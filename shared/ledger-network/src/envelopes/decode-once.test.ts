import { Account, Asset, Keypair, Networks, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { decodeOnce } from './decode-once.js';

const networkPassphrase: string = Networks.TESTNET;

function aTransaction() {
  const key = Keypair.random();
  const builder = new TransactionBuilder(new Account(key.publicKey(), '6'), { fee: '100', networkPassphrase });
  const payment = Operation.payment({ destination: key.publicKey(), asset: Asset.native(), amount: '1' });
  return builder.addOperation(payment).setTimeout(30).build();
}

describe('a stored envelope', () => {
  it('is decoded when it is needed, and counted once', () => {
    const counted: string[] = [];
    const transaction = aTransaction();
    const decoded = decodeOnce(transaction.toXDR(), networkPassphrase, (from) => counted.push(from));
    expect(counted).toEqual([]);
    expect(decoded().hash).toBe(transaction.hash().toString('hex'));
    expect(decoded()).toBe(decoded());
    expect(counted).toEqual(['store']);
  });

  it('that is damaged is refused', () => {
    expect(decodeOnce('AAAA', networkPassphrase)).toThrow('cannot be decoded');
  });
});
