import { Account, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import type { LandedTransaction } from '../store/records.js';
import type { SigningKey } from './keys.js';
import type { Network } from './network.js';
import { feeUnitsPerOperation } from './validity.js';

const validSeconds = 30;

export type OwnTransaction = {
  /** The source account, then the other accounts that must sign. */
  readonly signers: readonly [SigningKey, ...SigningKey[]];
  readonly operations: readonly xdr.Operation[];
  /** Of a contract call. */
  readonly resources?: xdr.SorobanTransactionData;
};

/** Builds, signs and submits within one turn of the event loop, so that the sequence number is always the next one. */
export function submitAs(network: Network, { signers, operations, resources }: OwnTransaction): LandedTransaction {
  const [{ address }] = signers;
  const { sequence } = network.store.find('accounts', address) ?? { sequence: 0n };
  const now = Math.floor(network.clock.epochMs() / 1_000);
  const builder = new TransactionBuilder(new Account(address, sequence.toString()), {
    fee: feeUnitsPerOperation.toString(),
    networkPassphrase: network.passphrase,
    timebounds: { minTime: 0, maxTime: now + validSeconds },
    ...(resources === undefined ? {} : { sorobanData: resources }),
  });
  for (const operation of operations) builder.addOperation(operation);
  const transaction = builder.build();
  for (const key of signers) {
    const signature = key.sign(transaction.hash());
    transaction.signatures.push(new xdr.DecoratedSignature({ hint: key.hint, signature }));
  }
  return network.landAtOnce(network.parse(transaction.toXDR()));
}
