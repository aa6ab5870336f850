import { xdr } from '@stellar/stellar-sdk';
import { nativeAsset, type BalanceChange, type Transfer } from '../domain/assets.js';
import type { Escrow, EscrowCall } from '../domain/escrow.js';
import type { LandedEvent } from '../store/records.js';
import type { ContractCall } from './contract-call.js';
import { escrowStruct } from './escrow-struct.js';
import * as wire from './wire-values.js';

/** The first topic of the contract's own event; a single-release contract has none for a withdrawal. */
const topics: Readonly<Record<ContractCall['call']['name'], string>> = {
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
};

type Effect = { readonly after: Escrow; readonly transfers: readonly Transfer[] };

/** The events of a call in order: the transfers of the token, then the contract's own. */
export function eventsOf(call: ContractCall['call'], { after, transfers }: Effect): readonly LandedEvent[] {
  const moved = transfers.map((transfer) => tokenEvent(after.token, { ...transfer, type: 'transfer' }));
  const isSilent = call.name === 'withdraw_remaining_funds' && after.type === 'single-release';
  if (isSilent) return moved;
  const data = call.name === 'fund_escrow' ? funding(call) : escrowStruct(after);
  return [...moved, event(after.contractId, [wire.symbol(topics[call.name])], data)];
}

function funding({ caller, units }: Extract<EscrowCall, { name: 'fund_escrow' }>): xdr.ScVal {
  return wire.vec([wire.address(caller), wire.i128(units)]);
}

/** The event of a token's contract; an issued asset is named as `USDC:G…`. The id of a muxed receiver is in its data. */
export function tokenEvent(token: string, { type, from, to, toMuxedId, asset, units }: BalanceChange): LandedEvent {
  const addresses = [from, to].filter((address) => address !== undefined).map(wire.address);
  const name = wire.string(asset === nativeAsset ? 'native' : asset);
  const amount = wire.i128(units);
  const data = toMuxedId === undefined ? amount : wire.struct({ amount, to_muxed_id: wire.u64(BigInt(toMuxedId)) });
  return event(token, [wire.symbol(type), ...addresses, name], data);
}

function event(contractId: string, values: readonly xdr.ScVal[], data: xdr.ScVal): LandedEvent {
  return { contractId, topics: values.map((value) => value.toXDR('base64')), data: data.toXDR('base64') };
}

/** A deployment returns the address and the struct of the new contract; other calls return nothing. */
export function returnValueOf({ before, after }: { readonly before: Escrow | undefined; readonly after: Escrow }): string {
  const value = before === undefined ? wire.vec([wire.address(after.contractId), escrowStruct(after)]) : xdr.ScVal.scvVoid();
  return value.toXDR('base64');
}

/** The value of a function that returns nothing. */
export function voidValue(): string {
  return xdr.ScVal.scvVoid().toXDR('base64');
}
