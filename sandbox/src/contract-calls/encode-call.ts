import type { Distribution, EscrowCall } from '../domain/escrow.js';
import { decodedAddress } from './addresses.js';
import type { ContractCall, DeployCall } from './contract-call.js';
import { formatProperties } from './properties-text.js';
import { list, opaque, uint32, uint64 } from './xdr-bytes.js';

/** The call as the network carries it: contract, function and arguments, the caller always first. */
export function encodeCall({ contractId, call }: ContractCall): Buffer {
  const values = [address(call.caller), ...argumentsOf(call)];
  return Buffer.concat([plainAddress(contractId), opaque(Buffer.from(call.name)), list(values)]);
}

function argumentsOf(call: DeployCall | EscrowCall): readonly Buffer[] {
  if (call.name === 'deploy_escrow') return [salt(call.salt), text(formatProperties(call.properties))];
  if (call.name === 'fund_escrow') return [amount(call.units)];
  if (call.name === 'change_milestone_status') return [index(call.index), text(call.status), text(call.evidence)];
  return [
    ...('index' in call ? [index(call.index)] : []),
    ...('distributions' in call ? [distributions(call.distributions)] : []),
  ];
}

/** The numbers that say what kind a value is of. */
const kinds = { uint32: 3, int128: 10, bytes: 13, string: 14, vector: 16, address: 18 } as const;

function value(kind: keyof typeof kinds, ...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([uint32(kinds[kind]), ...parts]);
}

/** Of an account it is said in addition what kind of key it has; there is only one. */
const addressKinds = { account: Buffer.concat([uint32(0), uint32(0)]), contract: uint32(1) } as const;

function plainAddress(id: string): Buffer {
  const { kind, bytes } = decodedAddress(id);
  return Buffer.concat([addressKinds[kind], bytes]);
}

function address(id: string): Buffer {
  return value('address', plainAddress(id));
}

const halfBits = 64n;

/** Two halves, the high one first. Amounts are never negative. */
function amount(units: bigint): Buffer {
  return value('int128', uint64(units >> halfBits), uint64(BigInt.asUintN(Number(halfBits), units)));
}

function index(position: number): Buffer {
  return value('uint32', uint32(position));
}

function text(content: string): Buffer {
  return value('string', opaque(Buffer.from(content)));
}

function salt(hex: string): Buffer {
  return value('bytes', opaque(Buffer.from(hex, 'hex')));
}

const present = uint32(1);

function distributions(entries: readonly Distribution[]): Buffer {
  return vector(entries.map((entry) => vector([address(entry.address), amount(entry.units)])));
}

function vector(items: readonly Buffer[]): Buffer {
  return value('vector', present, list(items));
}
