import { scValToBigInt, type xdr } from '@stellar/stellar-sdk';
import { addressText } from '../envelopes/index.js';

/**
 * A stored value of a contract as plain JavaScript: a struct as an object, i128 as bigint, u32 as number. Throws for wire types that
 * the contracts do not use, and for a map with another key than a symbol or with a key that comes twice.
 */
export function plainValue(value: xdr.ScVal): unknown {
  switch (value.switch().name) {
    case 'scvMap':
      return plainStruct(value.map() ?? []);
    case 'scvVec':
      return (value.vec() ?? []).map(plainValue);
    case 'scvI128':
      return scValToBigInt(value);
    case 'scvU32':
      return value.u32();
    case 'scvBool':
      return value.b();
    case 'scvString':
      return value.str().toString();
    case 'scvAddress':
      return addressText(value.address());
    default:
      throw new TypeError(`a stored value has the type ${value.switch().name}`);
  }
}

function plainStruct(entries: readonly xdr.ScMapEntry[]): unknown {
  const fields = new Map<string, unknown>();
  for (const entry of entries) {
    const name = symbolOf(entry.key());
    if (name === undefined || fields.has(name)) throw new TypeError('a stored struct has keys that are not names');
    fields.set(name, plainValue(entry.val()));
  }
  return Object.fromEntries(fields);
}

function symbolOf(value: xdr.ScVal): string | undefined {
  return value.switch().name === 'scvSymbol' ? value.sym().toString() : undefined;
}
