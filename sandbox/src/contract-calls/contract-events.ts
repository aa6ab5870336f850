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

type Called = Pick<LandedContractCall, 'contractId' | 'functionName' | 'balanceChanges' | 'escrow'>;

/** The events of a successful call in order: what the token's contract has moved, then the contract's own. */
export function eventsOf({ contractId, functionName, balanceChanges, escrow }: Called): xdr.ContractEvent[] {
  const moved = balanceChanges.map((change) => tokenEvent(escrow?.token ?? contractId, change));
  const topic = topics[functionName];
  const isSilent = functionName === 'withdraw_remaining_funds' && escrow?.type === 'single-release';
  if (escrow === undefined || topic === undefined || isSilent) return moved;
  const [funding] = functionName === 'fund_escrow' ? balanceChanges : [];
  const data = funding?.from === undefined ? escrowStruct(escrow) : fundingData(funding.from, funding.units);
  return [...moved, event(escrow.contractId, [wire.symbol(topic)], data)];
}

function fundingData(caller: string, units: bigint): xdr.ScVal {
  return wire.vec([wire.address(caller), wire.i128(units)]);
}

/** The event of a token's contract; an issued asset is named as `USDC:G…`. The id of a muxed receiver is in its data. */
function tokenEvent(token: string, { type, from, to, toMuxedId, asset, units }: BalanceChange): xdr.ContractEvent {
  const addresses = [from, to].filter((address) => address !== undefined).map(wire.address);
  const name = wire.string(asset === nativeAsset ? 'native' : asset);
  const amount = wire.i128(units);
  const data = toMuxedId === undefined ? amount : wire.struct({ amount, to_muxed_id: wire.u64(BigInt(toMuxedId)) });
  return event(token, [wire.symbol(type), ...addresses, name], data);
}

function event(contractId: string, values: xdr.ScVal[], data: xdr.ScVal): xdr.ContractEvent {
  return new xdr.ContractEvent({
    ext: noExtension,
    contractId: scAddress(contractId).contractId(),
    type: xdr.ContractEventType.contract(),
    body: new xdr.ContractEventBody(0, new xdr.ContractEventV0({ topics: values, data })),
  });
}

/** A deployment returns the address and the struct of the new contract; other calls return nothing. */
export function returnValueOf(created: Escrow | undefined): xdr.ScVal {
  return created === undefined ? xdr.ScVal.scvVoid() : wire.vec([wire.address(created.contractId), escrowStruct(created)]);
}
