import { Address, scValToBigInt, type xdr } from '@stellar/stellar-sdk';
import { addressText } from '../envelopes/index.js';
import { describeValue, quote } from './found-values.js';
import { compareLists, type Mismatch } from './mismatch.js';

/**
 * An expected argument of a contract call, with its wire type. A value of another type is a mismatch, even where a conversion would
 * give the same value: u32 is not i128, and a symbol is not a string.
 */
export type ExpectedValue = {
  /** The name of its wire type. */
  readonly type: xdr.ScValType['name'];
  readonly compare: (field: string, found: xdr.ScVal) => Mismatch | undefined;
};

export function address(expected: string): ExpectedValue {
  return scalar('scvAddress', `address ${expected}`, (found) => addressText(found.address()) === expected);
}

export function bool(expected: boolean): ExpectedValue {
  return scalar('scvBool', `bool ${expected}`, (found) => found.b() === expected);
}

export function u32(expected: number): ExpectedValue {
  return scalar('scvU32', `u32 ${expected}`, (found) => found.u32() === expected);
}

export function i128(expected: bigint): ExpectedValue {
  return scalar('scvI128', `i128 ${expected}`, (found) => scValToBigInt(found) === expected);
}

/** Compared as bytes: decoding replaces what is not UTF-8, so that different bytes could give the same text. */
export function string(expected: string): ExpectedValue {
  return scalar('scvString', `string ${quote(expected)}`, (found) => isText(found.str(), expected));
}

export function symbol(expected: string): ExpectedValue {
  return scalar('scvSymbol', `symbol ${quote(expected)}`, (found) => isText(found.sym(), expected));
}

export function isText(found: string | Buffer, expected: string): boolean {
  return Buffer.from(expected).equals(Buffer.from(found));
}

/** A hash in hex. */
export function bytes(expectedHex: string): ExpectedValue {
  return scalar('scvBytes', `bytes ${expectedHex}`, (found) => found.bytes().toString('hex') === expectedHex);
}

/** Bytes that the provider chooses. */
export function anyBytes(length: number): ExpectedValue {
  return scalar('scvBytes', `any ${length} bytes`, (found) => found.bytes().length === length);
}

/** A missing value of an optional argument. */
export function absent(): ExpectedValue {
  return scalar('scvVoid', 'void', () => true);
}

function scalar(
  type: xdr.ScValType['name'],
  expected: string,
  /** Called only for values of the type. */
  isEqual: (found: xdr.ScVal) => boolean,
): ExpectedValue {
  return {
    type,
    compare: (field, found) =>
      found.switch().name === type && isEqual(found) ? undefined : { field, expected, found: describeValue(found) },
  };
}

export function vec(expected: readonly ExpectedValue[]): ExpectedValue {
  return {
    type: 'scvVec',
    compare: (field, found) => {
      const items = found.switch().name === 'scvVec' ? found.vec() : undefined;
      if (!Array.isArray(items)) return { field, expected: 'vec', found: describeOther(found) };
      return compareLists(field, expected, items, (value, item, index) => value.compare(`${field}[${index}]`, item));
    },
  };
}

/** A struct of the contracts is a map by symbols. */
export function struct(fields: Readonly<Record<string, ExpectedValue>>): ExpectedValue {
  const sorted = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
  return map(sorted.map(([name, value]) => ({ name, key: symbol(name), value })));
}

export type ExpectedAmount = { readonly address: string; readonly units: bigint };

/** A map from addresses of accounts to amounts. */
export function addressAmounts(amounts: readonly ExpectedAmount[]): ExpectedValue {
  const keyOf = (entry: ExpectedAmount): Buffer => Address.fromString(entry.address).toBuffer();
  const sorted = amounts.toSorted((one, other) => Buffer.compare(keyOf(one), keyOf(other)));
  return map(sorted.map((entry) => ({ name: entry.address, key: address(entry.address), value: i128(entry.units) })));
}

type ExpectedEntry = { readonly name: string; readonly key: ExpectedValue; readonly value: ExpectedValue };

/** The network keeps the entries of a map in the order of their keys. So an entry that comes twice is found, too. */
function map(expected: readonly ExpectedEntry[]): ExpectedValue {
  return {
    type: 'scvMap',
    compare: (field, found) => {
      const entries = found.switch().name === 'scvMap' ? found.map() : undefined;
      if (!Array.isArray(entries)) return { field, expected: 'map', found: describeOther(found) };
      return compareLists(field, expected, entries, ({ name, key, value }, entry) => {
        const at = `${field}.${name}`;
        return key.compare(`${at} (key)`, entry.key()) ?? value.compare(at, entry.val());
      });
    },
  };
}

/** XDR has a vec and a map without content (null), which is not an empty one. */
function describeOther(found: xdr.ScVal): string {
  return found.value() === null ? `${describeValue(found)} without content` : describeValue(found);
}
