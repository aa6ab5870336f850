import { xdr } from '@stellar/stellar-sdk';
import { contractRefusal } from '../domain/operation-failure.js';
import { addressText, scAddress } from './addresses.js';

const { Int128Parts, Int64, ScMapEntry, ScVal, Uint64 } = xdr;

type Kind = ReturnType<xdr.ScVal['switch']>['name'];

export function address(text: string): xdr.ScVal {
  return ScVal.scvAddress(scAddress(text));
}

export function i128(units: bigint): xdr.ScVal {
  const hi = new Int64(units >> 64n);
  const lo = new Uint64(BigInt.asUintN(64, units));
  return ScVal.scvI128(new Int128Parts({ hi, lo }));
}

export function u32(value: number): xdr.ScVal {
  return ScVal.scvU32(value);
}

export function u64(value: bigint): xdr.ScVal {
  return ScVal.scvU64(new Uint64(value));
}

export function string(text: string): xdr.ScVal {
  return ScVal.scvString(text);
}

export function symbol(text: string): xdr.ScVal {
  return ScVal.scvSymbol(text);
}

export function bool(value: boolean): xdr.ScVal {
  return ScVal.scvBool(value);
}

export function vec(values: readonly xdr.ScVal[]): xdr.ScVal {
  return ScVal.scvVec([...values]);
}

/** The host keeps the keys of a map in ascending order. Addresses are ordered as their bytes are. */
export function map(entries: readonly (readonly [key: xdr.ScVal, value: xdr.ScVal])[]): xdr.ScVal {
  const ordered = entries
    .map(([key, val]) => ({ bytes: key.toXDR(), entry: new ScMapEntry({ key, val }) }))
    .sort((a, b) => a.bytes.compare(b.bytes));
  return ScVal.scvMap(ordered.map(({ entry }) => entry));
}

/** A struct is a map from symbols; the host orders symbols alphabetically, whatever their length. */
export function struct(fields: Readonly<Record<string, xdr.ScVal>>): xdr.ScVal {
  const names = Object.keys(fields).sort();
  const entries = names.map((name) => new ScMapEntry({ key: symbol(name), val: fields[name] ?? ScVal.scvVoid() }));
  return ScVal.scvMap(entries);
}

/** The readers accept exactly one wire type each, as the host does; any other value makes the call fail. */
function requireKind(value: xdr.ScVal, kind: Kind): void {
  const given = value.switch().name;
  if (given !== kind) throw contractRefusal(`A value is of type ${given} and not ${kind}`);
}

export function readAddress(value: xdr.ScVal): string {
  requireKind(value, 'scvAddress');
  const read = addressText(value.address());
  if (!read.startsWith('G') && !read.startsWith('C')) throw contractRefusal('An address is neither an account nor a contract');
  return read;
}

/** The receiver of a token's transfer may be a muxed account. */
export function readReceiver(value: xdr.ScVal): string {
  requireKind(value, 'scvAddress');
  const isMuxed = value.address().switch() === xdr.ScAddressType.scAddressTypeMuxedAccount();
  return isMuxed ? addressText(value.address()) : readAddress(value);
}

export function readI128(value: xdr.ScVal): bigint {
  requireKind(value, 'scvI128');
  const parts = value.i128();
  return (parts.hi().toBigInt() << 64n) + parts.lo().toBigInt();
}

export function readU32(value: xdr.ScVal): number {
  requireKind(value, 'scvU32');
  return value.u32();
}

export function readBool(value: xdr.ScVal): boolean {
  requireKind(value, 'scvBool');
  return value.b();
}

export function readString(value: xdr.ScVal): string {
  requireKind(value, 'scvString');
  const bytes = Buffer.from(value.str());
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw contractRefusal('A string is not valid UTF-8');
  return text;
}

export function readSymbol(value: xdr.ScVal): string {
  requireKind(value, 'scvSymbol');
  return value.sym().toString();
}

export function readOptionalString(value: xdr.ScVal): string | undefined {
  return value.switch().name === 'scvVoid' ? undefined : readString(value);
}

const hashBytes = 32;

/** Reads 32 bytes as hex. */
export function readBytes32(value: xdr.ScVal): string {
  requireKind(value, 'scvBytes');
  if (value.bytes().length !== hashBytes) throw contractRefusal(`A value does not have ${hashBytes} bytes`);
  return value.bytes().toString('hex');
}

export function readVec(value: xdr.ScVal): readonly xdr.ScVal[] {
  requireKind(value, 'scvVec');
  return value.vec() ?? [];
}

/** The host refuses a map of addresses whose keys are not unique and ascending. */
export function readMap(value: xdr.ScVal): readonly xdr.ScMapEntry[] {
  requireKind(value, 'scvMap');
  const entries = value.map() ?? [];
  const keys = entries.map((entry) => entry.key().toXDR());
  const isOrdered = keys.every((key, index) => index === 0 || (keys[index - 1]?.compare(key) ?? 0) < 0);
  if (!isOrdered) throw contractRefusal('The keys of a map are not unique and ascending');
  return entries;
}

/** Reads a struct that has exactly these fields. */
export function readStruct(value: xdr.ScVal, names: readonly string[]): (name: string) => xdr.ScVal {
  requireKind(value, 'scvMap');
  const entries = value.map() ?? [];
  const keys = entries.map((entry) => readSymbol(entry.key()));
  if (keys.join() !== [...names].sort().join()) throw contractRefusal(`A struct has the fields ${keys.join()}`);
  const values = new Map(entries.map((entry, index) => [keys[index] ?? '', entry.val()]));
  return (name) => values.get(name) ?? ScVal.scvVoid();
}
