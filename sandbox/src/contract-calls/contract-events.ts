import { xdr } from '@stellar/stellar-sdk';
import { nativeAsset, type BalanceChange } from '../domain/assets.js';
import type { Escrow } from '../domain/escrow.js';
import type { LandedContractCall } from '../store/records.js';
import { scAddress } from './addresses.js';
import type { ContractCall } from './contract-call.js';
import { escrowStruct } from './escrow-struct.js';
import * as wire from './wire-values.js';

const noExtension = new xdr.ExtensionPoint(0);

/** The first topic of the contract's own event; a single-release contract has none for a withdrawal. */
const topics: Readonly<Record<string, string>> = {
  tw_new_single_release_escrow: 'tw_init',
  tw_new_multi_release_escrow: 'tw_init',
  fund_escrow: 'tw_fund',
  change_milestone_status: 'tw_ms_change',
  approve_milestone: 'tw_ms_approve',
  release_funds: 'tw_release',
  release_milestone_funds: 'tw_release',
  dispute_escrow: 'tw_dispute',
  dispute_milestone: 'tw_dispute',
  resolve_dispute: 'tw_disp_resolve',
  resolve_milestone_dispute: 'tw_disp_resolve',
  withdraw_remaining_funds: 'tw_withdraw',
} satisfies Readonly<Record<ContractCall['call']['name'], string>>;

type Called = Pick<LandedContractCall, 'contractId' | 'functionName' | 'balanceChanges' | 'createdContractId' | 'escrow'>;

/** What a call returns, and its events in order: what the token's contract has moved, then the contract's own. */
export type Outcome = { readonly returnValue: xdr.ScVal; readonly events: xdr.ContractEvent[] };

/** The outcome of a successful call. */
export function outcomeOf({ contractId, functionName, balanceChanges, createdContractId, escrow }: Called): Outcome {
  const token = scAddress(escrow?.token ?? contractId);
  const moved = balanceChanges.map((change) => event(token, topicsOf(change), dataOf(change)));
  if (escrow === undefined) return { returnValue: nothing, events: moved };
  const [funding] = functionName === 'fund_escrow' ? balanceChanges : [];
  const data = funding?.from === undefined ? escrowStruct(escrow) : fundingData(funding.from, funding.units);
  return {
    returnValue: createdContractId === undefined ? nothing : deployedValue(createdContractId, data),
    events: [...moved, ...ownEvents(functionName, escrow, data)],
  };
}

const nothing = xdr.ScVal.scvVoid();

/** What a call returns: a deployment the address and the struct of the new contract, other calls nothing. */
export function returnValueOf(created: Escrow | undefined): xdr.ScVal {
  return created === undefined ? nothing : deployedValue(created.contractId, escrowStruct(created));
}

function deployedValue(contractId: string, struct: xdr.ScVal): xdr.ScVal {
  return wire.vec([wire.address(contractId), struct]);
}

function ownEvents(functionName: string, { contractId, type }: Escrow, data: xdr.ScVal): readonly xdr.ContractEvent[] {
  const topic = topics[functionName];
  const isSilent = functionName === 'withdraw_remaining_funds' && type === 'single-release';
  return topic === undefined || isSilent ? [] : [event(scAddress(contractId), [wire.symbol(topic)], data)];
}

function fundingData(caller: string, units: bigint): xdr.ScVal {
  return wire.vec([wire.address(caller), wire.i128(units)]);
}

/** The topics of the event of a token's contract; an issued asset is named as `USDC:G…`. */
function topicsOf({ type, from, to, asset }: BalanceChange): xdr.ScVal[] {
  const addresses = [from, to].filter((address) => address !== undefined).map(wire.address);
  return [wire.symbol(type), ...addresses, wire.string(asset === nativeAsset ? 'native' : asset)];
}

/** The id of a muxed receiver is in the data. */
function dataOf({ toMuxedId, units }: BalanceChange): xdr.ScVal {
  const amount = wire.i128(units);
  return toMuxedId === undefined ? amount : wire.struct({ amount, to_muxed_id: wire.u64(BigInt(toMuxedId)) });
}

function event(contract: xdr.ScAddress, values: xdr.ScVal[], data: xdr.ScVal): xdr.ContractEvent {
  return new xdr.ContractEvent({
    ext: noExtension,
    contractId: contract.contractId(),
    type: xdr.ContractEventType.contract(),
    body: new xdr.ContractEventBody(0, new xdr.ContractEventV0({ topics: values, data })),
  });
}
