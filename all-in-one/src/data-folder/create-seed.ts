import { Keypair } from '@stellar/stellar-sdk';

/** Creates the seed of a new account on the ledger network. */
export function createSeed(): string {
  return Keypair.random().secret();
}
