import { Account, Asset, Contract, Keypair, Operation, StrKey, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { contractCallIn } from './contract-call.js';

const networkPassphrase = 'a network';
const source = Keypair.random();
const contract = StrKey.encodeContract(Buffer.alloc(32, 7));
const call = new Contract(contract).call('resolve_milestone_dispute', xdr.ScVal.scvVoid(), xdr.ScVal.scvU32(2));
const payment = Operation.payment({ destination: source.publicKey(), asset: Asset.native(), amount: '1' });

function built(...operations: readonly xdr.Operation[]) {
  const builder = new TransactionBuilder(new Account(source.publicKey(), '1'), { fee: '100', networkPassphrase });
  for (const operation of operations) builder.addOperation(operation);
  return builder.setTimeout(30).build();
}

describe('the call of a transaction', () => {
  it('is found with its contract, function and arguments, also in a fee bump', () => {
    const transaction = built(call);
    transaction.sign(source);
    const feeBump = TransactionBuilder.buildFeeBumpTransaction(source, '200', transaction, networkPassphrase);
    for (const envelope of [transaction.toEnvelope(), feeBump.toEnvelope()]) {
      const found = contractCallIn(envelope);
      expect([found?.contract, found?.function, found?.args[1]?.u32()]).toEqual([contract, 'resolve_milestone_dispute', 2]);
    }
  });

  it('is read from exactly one operation that calls a contract', () => {
    expect(contractCallIn(built(payment).toEnvelope())).toBeUndefined();
    expect(contractCallIn(built(call, payment).toEnvelope())).toBeUndefined();
  });
});
