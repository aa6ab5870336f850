import { xdr } from '@stellar/stellar-sdk';
import { isEscrowCallName } from '../domain/escrow-rules.js';
import type { Distribution, EscrowState, EscrowType } from '../domain/escrow.js';
import { contractRefusal } from '../domain/operation-failure.js';
import { deployFunctions, type ContractCall, type Invocation } from './contract-call.js';
import { escrowStruct, readEscrow } from './escrow-struct.js';
import { functionsOf, type Argument, type ContractVersion, type FunctionTable, type WireType } from './contract-versions.js';
import * as wire from './wire-values.js';

/** The type of a property of a `ContractCall`, by the wire type of its argument. */
type Values = {
  Address: string;
  'BytesN<32>': string;
  Escrow: EscrowState;
  'Map<Address, i128>': readonly Distribution[];
  'Option<String>': string | undefined;
  String: string;
  Symbol: string;
  'Vec<Address>': readonly string[];
  'Vec<Val>': readonly xdr.ScVal[];
  i128: bigint;
  u32: number;
};

type Codec<Value> = {
  readonly encode: (value: Value) => xdr.ScVal;
  readonly decode: (value: xdr.ScVal, called: EscrowType) => Value;
};

const codecs: { readonly [Type in WireType]: Codec<Values[Type]> } = {
  Address: { encode: wire.address, decode: wire.readAddress },
  'BytesN<32>': { encode: (hex) => xdr.ScVal.scvBytes(Buffer.from(hex, 'hex')), decode: wire.readBytes32 },
  Escrow: { encode: escrowStruct, decode: (value, called) => readEscrow(called, value) },
  'Map<Address, i128>': {
    encode: (entries) => wire.map(entries.map(({ address, units }) => [wire.address(address), wire.i128(units)])),
    decode: (value) =>
      wire.readMap(value).map((entry) => ({ address: wire.readAddress(entry.key()), units: wire.readI128(entry.val()) })),
  },
  'Option<String>': {
    encode: (text) => (text === undefined ? xdr.ScVal.scvVoid() : wire.string(text)),
    decode: wire.readOptionalString,
  },
  String: { encode: wire.string, decode: wire.readString },
  Symbol: { encode: wire.symbol, decode: wire.readSymbol },
  'Vec<Address>': {
    encode: (addresses) => wire.vec(addresses.map(wire.address)),
    decode: (value) => wire.readVec(value).map(wire.readAddress),
  },
  'Vec<Val>': { encode: wire.vec, decode: wire.readVec },
  i128: { encode: wire.i128, decode: wire.readI128 },
  u32: { encode: wire.u32, decode: wire.readU32 },
};

/** A call as an invocation with the arguments of the version. */
export function encodeCall(version: ContractVersion, { contractId, call }: ContractCall): Invocation {
  const table = { ...functionsOf(version, 'single-release'), ...functionsOf(version, 'multi-release') };
  const properties: Readonly<Record<string, unknown>> = call;
  const encode = ({ type, property }: Argument): xdr.ScVal => codecOf(type).encode(properties[property]);
  return { contractId, functionName: call.name, arguments: (table[call.name] ?? []).map(encode) };
}

type CalledContract = { readonly type: EscrowType; readonly functions: FunctionTable };

/** Reads the arguments of an invocation strictly by their wire types, or throws the refusal of the contract. */
export function decodeCall(
  { type: called, functions }: CalledContract,
  { contractId, functionName, ...given }: Invocation,
): ContractCall {
  const table = Object.hasOwn(functions, functionName) ? functions[functionName] : undefined;
  if (table === undefined) throw contractRefusal('The contract has no such function');
  if (table.length !== given.arguments.length) {
    throw contractRefusal(`The function ${functionName} has ${table.length} arguments`);
  }
  if (!isCallName(functionName)) throw contractRefusal(`The function ${functionName} is not supported by the sandbox`);
  const properties = given.arguments.map((value, index) => {
    const { type = 'Vec<Val>', property = '' } = table[index] ?? {};
    return [property, codecOf(type).decode(value, called)] as const;
  });
  // eslint-disable-next-line holdfast/no-type-assertion -- the table has the properties of the call with this name
  return { contractId, call: { ...Object.fromEntries(properties), name: functionName } as ContractCall['call'] };
}

function codecOf(type: WireType): Codec<unknown> {
  // eslint-disable-next-line holdfast/no-type-assertion -- the table says which type the value has
  return codecs[type] as Codec<unknown>;
}

function isCallName(name: string): name is ContractCall['call']['name'] {
  return Object.hasOwn(deployFunctions, name) || isEscrowCallName(name);
}
