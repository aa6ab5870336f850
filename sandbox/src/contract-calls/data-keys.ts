import { xdr } from '@stellar/stellar-sdk';
import * as wire from './wire-values.js';

/** The key under which a contract stores its own instance. */
export const instanceKey = xdr.ScVal.scvLedgerKeyContractInstance();

/** The key of the struct. A single-release contract stores it in a separate entry, a multi-release contract in its instance. */
export const escrowKey = wire.vec([wire.symbol('Escrow')]);

/** The key under which the contract of a token stores the balance of another contract. */
export function balanceKey(holder: string): xdr.ScVal {
  return wire.vec([wire.symbol('Balance'), wire.address(holder)]);
}
