import { Operation, type xdr } from '@stellar/stellar-sdk';
import type { LifetimeChange } from './ledger-rpc-port.js';

/** The longest life that the network grants: its setting of 3,110,400 ledgers, about half a year, without the current one. */
const extendToLedgers = 3_110_399;

/** The entries that it extends or restores are in the resources of its transaction. */
export function lifetimeOperation({ does }: Pick<LifetimeChange, 'does'>): xdr.Operation {
  return does === 'extend' ? Operation.extendFootprintTtl({ extendTo: extendToLedgers }) : Operation.restoreFootprint({});
}
