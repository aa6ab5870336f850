import type { Distribution, EscrowCall } from '../domain/escrow.js';
import { decodedAddress } from './addresses.js';
import type { ContractCall, DeployCall } from './contract-call.js';
import { formatProperties } from './properties-text.js';
import { list, opaque, uint32, uint64, utf8, type ByteText } from './xdr-bytes.js';

/** Encodes a call as XDR: contract, function and arguments, the caller first. */
export function encodeCall({ contractId, call }: ContractCall): ByteText {
  return plainAddress(contractId) + opaque(call.name) + list([address(call.caller), ...argumentsOf(call)]);
}

function argumentsOf(call: DeployCall | EscrowCall): readonly ByteText[] {
  if (call.name === 'deploy_escrow') return [salt(call.salt), text(formatProperties(call.properties))];
  if (call.name === 'fund_escrow') return [amount(call.units)];
  if (call.name === 'change_milestone_status') return [index(call.index), text(call.status), text(call.evidence)];
  return [
    ...('index' in call ? [index(call.index)] : []),
    ...('distributions' in call ? [distributions(call.distributions)] : []),
  ];
}

/** XDR discriminants of the value types. */
const kinds = {
  uint32: uint32(3),
  int128: uint32(10),
  bytes: uint32(13),
  string: uint32(14),
  vector: uint32(16),
  address: uint32(18),
} as const;

/** The discriminant of an account is followed by that of its key type, of which there is only one. */
const addressKinds = { account: uint32(0) + uint32(0), contract: uint32(1) } as const;

function plainAddress(id: string): ByteText {
  const { kind, bytes } = decodedAddress(id);
  return addressKinds[kind] + bytes;
}

function address(id: string): ByteText {
  return kinds.address + plainAddress(id);
}

const halfBits = 64n;

/** Two 64-bit halves, the high one first. Amounts are never negative. */
function amount(units: bigint): ByteText {
  return kinds.int128 + uint64(units >> halfBits) + uint64(BigInt.asUintN(Number(halfBits), units));
}

function index(position: number): ByteText {
  return kinds.uint32 + uint32(position);
}

function text(content: string): ByteText {
  return kinds.string + opaque(utf8(content));
}

function salt(hex: string): ByteText {
  return kinds.bytes + opaque(Buffer.from(hex, 'hex').toString('latin1'));
}

const present = uint32(1);

function distributions(entries: readonly Distribution[]): ByteText {
  return vector(entries.map((entry) => vector([address(entry.address), amount(entry.units)])));
}

function vector(items: readonly ByteText[]): ByteText {
  return kinds.vector + present + list(items);
}
