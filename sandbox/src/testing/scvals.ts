import { Address, xdr, type Keypair } from '@stellar/stellar-sdk';

/** Values of the network, written with the SDK's constructors only, so that tests do not depend on the code that they test. */
export const scv = {
  address: (given: string | Keypair): xdr.ScVal =>
    xdr.ScVal.scvAddress(Address.fromString(typeof given === 'string' ? given : given.publicKey()).toScAddress()),
  /** Amounts below 2^64. */
  i128: (units: string): xdr.ScVal =>
    xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: xdr.Int64.fromString('0'), lo: xdr.Uint64.fromString(units) })),
  u32: (value: number): xdr.ScVal => xdr.ScVal.scvU32(value),
  string: (text: string): xdr.ScVal => xdr.ScVal.scvString(text),
  symbol: (text: string): xdr.ScVal => xdr.ScVal.scvSymbol(text),
  bytes: (hex: string): xdr.ScVal => xdr.ScVal.scvBytes(Buffer.from(hex, 'hex')),
  bool: (value: boolean): xdr.ScVal => xdr.ScVal.scvBool(value),
  vec: (...values: readonly xdr.ScVal[]): xdr.ScVal => xdr.ScVal.scvVec([...values]),
  void: (): xdr.ScVal => xdr.ScVal.scvVoid(),
  /** The entries keep their order. */
  map: (...entries: readonly (readonly [xdr.ScVal, xdr.ScVal])[]): xdr.ScVal =>
    xdr.ScVal.scvMap(entries.map(([key, val]) => new xdr.ScMapEntry({ key, val }))),
  struct: (fields: Readonly<Record<string, xdr.ScVal>>): xdr.ScVal =>
    scv.map(...Object.entries(fields).map(([name, value]) => [xdr.ScVal.scvSymbol(name), value] as const)),
} as const;

export function base64(values: readonly xdr.ScVal[]): readonly string[] {
  return values.map((value) => value.toXDR('base64'));
}
