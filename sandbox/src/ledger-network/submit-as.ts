import { Account, TransactionBuilder, xdr, type Transaction } from '@stellar/stellar-sdk';
import type { LandedTransaction } from '../store/records.js';
import type { SigningKey } from './keys.js';
import type { Network } from './network.js';
import { feeUnitsPerOperation } from './validity.js';

const validSeconds = 30;

export type OwnTransaction = {
  /** The source account, then the other accounts that must sign. */
  readonly signers: readonly [SigningKey, ...SigningKey[]];
  readonly operations: readonly xdr.Operation[];
  /** The resources of a contract call. */
  readonly resources?: xdr.SorobanTransactionData;
};

/** Builds, signs and submits within one turn of the event loop, so that the sequence number is always the next one. */
export function submitAs(network: Network, own: OwnTransaction): LandedTransaction {
  const { passphrase, store, clock } = network;
  const { sequence } = store.find('accounts', own.signers[0].address) ?? { sequence: 0n };
  const maxTime = Math.floor(clock.epochMs() / 1_000) + validSeconds;
  return network.landAtOnce(network.parse(signedTransaction({ ...own, passphrase, sequence, maxTime }).toXDR()));
}

type SigningOptions = OwnTransaction & {
  readonly passphrase: string;
  /** The sequence number that the source account has before. */
  readonly sequence: bigint;
  readonly maxTime: number;
};

export function signedTransaction(options: SigningOptions): Transaction {
  const { signers, operations, resources, passphrase, sequence, maxTime } = options;
  const builder = new TransactionBuilder(new Account(signers[0].address, sequence.toString()), {
    fee: feeUnitsPerOperation.toString(),
    networkPassphrase: passphrase,
    timebounds: { minTime: 0, maxTime },
    ...(resources === undefined ? {} : { sorobanData: resources }),
  });
  for (const operation of operations) builder.addOperation(operation);
  const transaction = builder.build();
  for (const key of signers) {
    const signature = key.sign(transaction.hash());
    transaction.signatures.push(new xdr.DecoratedSignature({ hint: key.hint, signature }));
  }
  return transaction;
}
