import { scValToBigInt, type xdr } from '@stellar/stellar-sdk';
import { addressText } from '../envelopes/index.js';

/** What others built may be long, and may contain control characters. */
const textLengthMax = 80;

export function quote(text: string | Buffer): string {
  return JSON.stringify(text.toString().slice(0, textLengthMax));
}

/** A value of an envelope with its wire type. Containers are named without their content, so hostile nesting costs nothing. */
export function describeValue(value: xdr.ScVal): string {
  switch (value.switch().name) {
    case 'scvAddress':
      return `address ${addressText(value.address())}`;
    case 'scvBool':
      return `bool ${value.b()}`;
    case 'scvU32':
      return `u32 ${value.u32()}`;
    case 'scvI128':
      return `i128 ${scValToBigInt(value)}`;
    case 'scvString':
      return `string ${quote(value.str())}`;
    case 'scvSymbol':
      return `symbol ${quote(value.sym())}`;
    case 'scvBytes':
      return `bytes ${value.bytes().toString('hex').slice(0, textLengthMax)}`;
    default:
      return typeNameOf(value);
  }
}

/** The wire type in the words of the network, such as `u64` or `vec`. */
function typeNameOf(value: xdr.ScVal): string {
  return value.switch().name.replace(/^scv/, '').toLowerCase();
}
