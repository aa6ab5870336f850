import { Address, nativeToScVal, scValToBigInt, xdr } from '@stellar/stellar-sdk';
import { required } from './opened-transaction.js';

export function addressValue(address: string): xdr.ScVal {
  return new Address(address).toScVal();
}

/** One smallest unit more: the least that a comparison could miss. */
export function oneUnitMore(amount: xdr.ScVal): xdr.ScVal {
  return nativeToScVal(scValToBigInt(amount) + 1n, { type: 'i128' });
}

/** Replaces a field of a struct, which is a map with symbols as keys. */
export function changeField(struct: xdr.ScVal, name: string, change: (value: xdr.ScVal) => xdr.ScVal): xdr.ScVal {
  const entries = required(struct.map());
  return xdr.ScVal.scvMap(
    entries.map((entry) => (isNamed(entry, name) ? new xdr.ScMapEntry({ key: entry.key(), val: change(entry.val()) }) : entry)),
  );
}

export function hasField(struct: xdr.ScVal, name: string): boolean {
  return required(struct.map()).some((entry) => isNamed(entry, name));
}

export function changeFirst(vector: xdr.ScVal, change: (value: xdr.ScVal) => xdr.ScVal): xdr.ScVal {
  const [first, ...others] = required(vector.vec());
  return xdr.ScVal.scvVec([change(required(first)), ...others]);
}

/** Replaces the first entry of a map of addresses, and sorts the map again, as the network requires. */
export function changeFirstEntry(map: xdr.ScVal, change: (entry: xdr.ScMapEntry) => xdr.ScMapEntry): xdr.ScVal {
  const [first, ...others] = required(map.map());
  const changed = [change(required(first)), ...others];
  return xdr.ScVal.scvMap(changed.toSorted((one, other) => Buffer.compare(one.key().toXDR(), other.key().toXDR())));
}

function isNamed(entry: xdr.ScMapEntry, name: string): boolean {
  return entry.key().sym().toString() === name;
}
