import { xdr } from '@stellar/stellar-sdk';
import type { EscrowType } from '../domain/escrow.js';
import { functionsOf, type Argument, type ContractVersion, type WireType } from './contract-versions.js';
import { structs, type FieldType } from './contract-structs.js';

const { ScSpecTypeDef, ScSpecEntry } = xdr;

const magicAndVersion = Buffer.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);
const customSection = 0;

/** A valid module without code: it contains only the spec of the contract, in the custom section where clients read it. */
export function contractWasm(version: ContractVersion, type: EscrowType): Buffer {
  const name = Buffer.from('contractspecv0');
  const spec = Buffer.concat(specOf(version, type).map((entry) => entry.toXDR()));
  const section = Buffer.concat([unsignedLeb128(name.length), name, spec]);
  return Buffer.concat([magicAndVersion, Buffer.from([customSection]), unsignedLeb128(section.length), section]);
}

/** Lengths in a module are little-endian groups of seven bits; all but the last have the eighth bit set. */
function unsignedLeb128(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Buffer.from([...bytes, rest]);
}

function specOf(version: ContractVersion, type: EscrowType): readonly xdr.ScSpecEntry[] {
  const ofType: Readonly<Record<string, Readonly<Record<string, FieldType>>>> = structs[type];
  return [
    ...Object.entries(ofType).map(([name, fields]) => structSpec(name, Object.entries(fields))),
    ...Object.entries(functionsOf(version, type)).map(([name, list]) => functionSpec(name, list)),
  ];
}

function structSpec(name: string, fields: readonly (readonly [string, FieldType])[]): xdr.ScSpecEntry {
  const specs = fields.map(([field, type]) => new xdr.ScSpecUdtStructFieldV0({ doc: '', name: field, type: typeDefs[type]() }));
  return ScSpecEntry.scSpecEntryUdtStructV0(new xdr.ScSpecUdtStructV0({ doc: '', lib: '', name, fields: specs }));
}

function functionSpec(name: string, list: readonly Argument[]): xdr.ScSpecEntry {
  const inputs = list.map((each) => new xdr.ScSpecFunctionInputV0({ doc: '', name: each.name, type: typeDefs[each.type]() }));
  const outputs = outputsOf(name);
  return ScSpecEntry.scSpecEntryFunctionV0(new xdr.ScSpecFunctionV0({ doc: '', name, inputs, outputs }));
}

function outputsOf(name: string): xdr.ScSpecTypeDef[] {
  if (name.startsWith('get_escrow')) return [typeDefs.Escrow()];
  if (!name.startsWith('tw_new_')) return [];
  return [ScSpecTypeDef.scSpecTypeTuple(new xdr.ScSpecTypeTuple({ valueTypes: [typeDefs.Address(), typeDefs.Escrow()] }))];
}

const typeDefs: Readonly<Record<WireType | FieldType, () => xdr.ScSpecTypeDef>> = {
  Address: () => ScSpecTypeDef.scSpecTypeAddress(),
  'BytesN<32>': () => ScSpecTypeDef.scSpecTypeBytesN(new xdr.ScSpecTypeBytesN({ n: 32 })),
  Escrow: () => udt('Escrow'),
  Flags: () => udt('Flags'),
  'Map<Address, i128>': () =>
    ScSpecTypeDef.scSpecTypeMap(
      new xdr.ScSpecTypeMap({ keyType: ScSpecTypeDef.scSpecTypeAddress(), valueType: ScSpecTypeDef.scSpecTypeI128() }),
    ),
  'Option<String>': () =>
    ScSpecTypeDef.scSpecTypeOption(new xdr.ScSpecTypeOption({ valueType: ScSpecTypeDef.scSpecTypeString() })),
  Roles: () => udt('Roles'),
  String: () => ScSpecTypeDef.scSpecTypeString(),
  Symbol: () => ScSpecTypeDef.scSpecTypeSymbol(),
  Trustline: () => udt('Trustline'),
  'Vec<Address>': () => vec(ScSpecTypeDef.scSpecTypeAddress()),
  'Vec<Milestone>': () => vec(udt('Milestone')),
  'Vec<Val>': () => vec(ScSpecTypeDef.scSpecTypeVal()),
  bool: () => ScSpecTypeDef.scSpecTypeBool(),
  i128: () => ScSpecTypeDef.scSpecTypeI128(),
  u32: () => ScSpecTypeDef.scSpecTypeU32(),
};

function udt(name: string): xdr.ScSpecTypeDef {
  return ScSpecTypeDef.scSpecTypeUdt(new xdr.ScSpecTypeUdt({ name }));
}

function vec(elementType: xdr.ScSpecTypeDef): xdr.ScSpecTypeDef {
  return ScSpecTypeDef.scSpecTypeVec(new xdr.ScSpecTypeVec({ elementType }));
}
