import { Keypair } from '@stellar/stellar-sdk';

/** Of a new account on the ledger network. */
export function createSeed(): string {
  return Keypair.random().secret();
}
