import { TransactionBuilder, type FeeBumpTransaction, type Keypair, type Transaction } from '@stellar/stellar-sdk';
import type { RunningSandbox } from './running-sandbox.js';

/** Puts a signed transaction into a fee bump with the given bid per operation, in stroops. */
export function feeBumpOf(
  sandbox: Pick<RunningSandbox, 'networkPassphrase'>,
  feeSource: Keypair,
  inner: Transaction | FeeBumpTransaction,
  bid = '1000',
): FeeBumpTransaction {
  if (!('sequence' in inner)) throw new Error('a fee bump cannot be bumped again');
  const built = TransactionBuilder.buildFeeBumpTransaction(feeSource, bid, inner, sandbox.networkPassphrase);
  built.sign(feeSource);
  return built;
}
