import type { Invocation } from '../contract-calls/contract-call.js';
import * as wire from '../contract-calls/wire-values.js';
import { credit, debit, unitsMax } from '../domain/account.js';
import { isIssuer, issuedAsset, type AssetKey, type BalanceChange } from '../domain/assets.js';
import { afterTransfer, isLive } from '../domain/lifetimes.js';
import { OperationFailure, contractRefusal } from '../domain/operation-failure.js';
import type { StoreTransaction } from '../store/store.js';
import { changeAccount, isAccount } from './apply-contract-call.js';
import { destinationOf, muxedIdOf } from './operation-fields.js';

/** A call of a token's contract: who must have authorized it, and what it moves. */
export type TokenCall = { readonly caller: string; readonly change: BalanceChange };

/** Reads a call of the token's contract, or throws its refusal. */
export function readTokenCall({ functionName, arguments: values }: Invocation, asset: AssetKey): TokenCall {
  const read = Object.hasOwn(functions, functionName) ? functions[functionName] : undefined;
  if (read === undefined) throw contractRefusal(`The function ${functionName} is not supported by the sandbox`);
  const call = read(values, asset);
  const { units } = call.change;
  if (units < 0n || units > unitsMax) throw contractRefusal('The amount is not a valid one');
  return call;
}

type ReadFunction = (values: Invocation['arguments'], asset: AssetKey) => TokenCall;

const functions: Readonly<Record<string, ReadFunction>> = {
  transfer: (values, asset) => {
    const [sender, receiver, amount] = required(values, 3);
    const from = wire.readAddress(sender);
    const named = destinationOf(wire.readReceiver(receiver));
    const toMuxedId = named.muxed === undefined ? undefined : muxedIdOf(named.muxed);
    const moved = { asset, units: wire.readI128(amount) };
    // The issuer has no balance: what it sends is minted, and what it gets is burned.
    if (isIssuer(from, asset)) return { caller: from, change: { type: 'mint', to: named.address, toMuxedId, ...moved } };
    if (isIssuer(named.address, asset)) return { caller: from, change: { type: 'burn', from, ...moved } };
    return { caller: from, change: { type: 'transfer', from, to: named.address, toMuxedId, ...moved } };
  },
  mint: (values, asset) => {
    const [receiver, amount] = required(values, 2);
    const change = { type: 'mint', to: wire.readAddress(receiver), asset, units: wire.readI128(amount) } as const;
    return { caller: administratorOf(asset), change };
  },
  burn: (values, asset) => {
    const [holder, amount] = required(values, 2);
    administratorOf(asset);
    const from = wire.readAddress(holder);
    return { caller: from, change: { type: 'burn', from, asset, units: wire.readI128(amount) } };
  },
  clawback: (values, asset) => {
    const [holder, amount] = required(values, 2);
    const change = { type: 'clawback', from: wire.readAddress(holder), asset, units: wire.readI128(amount) } as const;
    return { caller: administratorOf(asset), change };
  },
};

type Values<Count extends 2 | 3> = Count extends 3 ? readonly [Value, Value, Value] : readonly [Value, Value];
type Value = Invocation['arguments'][number];

function required<Count extends 2 | 3>(values: readonly Value[], count: Count): Values<Count> {
  if (values.length !== count) throw contractRefusal(`The function has ${count} arguments`);
  // eslint-disable-next-line holdfast/no-type-assertion -- the number of values has just been checked
  return values as unknown as Values<Count>;
}

/** The native asset has no administrator, so no call can create or destroy it. */
function administratorOf(asset: AssetKey): string {
  const issuer = issuedAsset(asset)?.issuer;
  if (issuer === undefined) throw contractRefusal('The function is not supported for the native asset');
  return issuer;
}

type Holder = { readonly token: string; readonly ledger: number };

/** Moves the tokens between accounts and contracts, or throws the refusal of the token's contract. */
export function applyTokenCall(transaction: StoreTransaction, { change }: TokenCall, holder: Holder): void {
  const { from, to, asset, units } = change;
  if (from !== undefined && !isAccount(from)) throw contractRefusal('Contracts cannot be debited by the sandbox');
  if (from !== undefined) changeAccount(transaction, from, (account) => debit(account, asset, units));
  if (to === undefined) return;
  if (isAccount(to)) changeAccount(transaction, to, (account) => credit(account, asset, units));
  else creditContract(transaction, to, units, holder);
}

/** Only escrow contracts have a balance, and each one of one token. */
function creditContract(transaction: StoreTransaction, contractId: string, units: bigint, { token, ledger }: Holder): void {
  const escrow = transaction.find('escrows', contractId);
  if (escrow?.token !== token) throw contractRefusal('The sandbox has no balance of this contract');
  const lifetimes = transaction.find('lifetimes', contractId) ?? {};
  const isArchived = lifetimes.balance !== undefined && !isLive(lifetimes.balance, ledger);
  if (isArchived) throw new OperationFailure('entry_archived', 'The balance entry of the contract is archived');
  transaction.put('escrows', contractId, { ...escrow, balanceUnits: escrow.balanceUnits + units });
  transaction.put('lifetimes', contractId, afterTransfer(lifetimes, ledger));
}
