import { nativeToScVal, xdr } from '@stellar/stellar-sdk';
import type { Distribution, EscrowCall } from '../domain/escrow.js';
import { toScAddress } from './addresses.js';
import type { ContractCall, DeployCall } from './contract-call.js';
import { formatProperties } from './properties-text.js';

/** The call as the network carries it: contract, function and arguments, the caller always first. */
export function encodeCall({ contractId, call }: ContractCall): xdr.InvokeContractArgs {
  return new xdr.InvokeContractArgs({
    contractAddress: toScAddress(contractId),
    functionName: call.name,
    args: [address(call.caller), ...argumentsOf(call)],
  });
}

function argumentsOf(call: DeployCall | EscrowCall): xdr.ScVal[] {
  if (call.name === 'deploy_escrow') {
    return [xdr.ScVal.scvBytes(Buffer.from(call.salt, 'hex')), text(formatProperties(call.properties))];
  }
  if (call.name === 'fund_escrow') return [amount(call.units)];
  if (call.name === 'change_milestone_status') return [index(call.index), text(call.status), text(call.evidence)];
  return [
    ...('index' in call ? [index(call.index)] : []),
    ...('distributions' in call ? [distributions(call.distributions)] : []),
  ];
}

function address(id: string): xdr.ScVal {
  return xdr.ScVal.scvAddress(toScAddress(id));
}

function amount(units: bigint): xdr.ScVal {
  return nativeToScVal(units, { type: 'i128' });
}

function index(value: number): xdr.ScVal {
  return xdr.ScVal.scvU32(value);
}

function text(value: string): xdr.ScVal {
  return xdr.ScVal.scvString(value);
}

function distributions(entries: readonly Distribution[]): xdr.ScVal {
  return xdr.ScVal.scvVec(entries.map((entry) => xdr.ScVal.scvVec([address(entry.address), amount(entry.units)])));
}
