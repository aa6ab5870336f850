import type { xdr } from '@stellar/stellar-sdk';
import type { Invocation } from '../contract-calls/contract-call.js';
import { escrowStruct } from '../contract-calls/escrow-struct.js';
import * as wire from '../contract-calls/wire-values.js';
import type { Escrow } from '../domain/escrow.js';
import { contractRefusal } from '../domain/operation-failure.js';
import type { ContractEntry } from '../ledger-network/entry-reference.js';
import { entriesOfEscrow } from '../ledger-network/footprint.js';
import type { LedgerView } from '../ledger-network/ledger-view.js';

/** The value of a function that only reads, and the entries that it uses. */
export type ContractRead = { readonly value: xdr.ScVal; readonly entries: readonly ContractEntry[] };

type Reader = (view: LedgerView, invocation: Invocation) => ContractRead;

const balancesMax = 20;
const tokenDecimals = 7;

const readers: Readonly<Record<string, Reader>> = {
  get_escrow: (view, { contractId, arguments: values }) => {
    requireArguments(values, 0);
    return structOf(view, contractId);
  },
  get_escrow_by_contract_id: (view, { arguments: values }) => {
    requireArguments(values, 1);
    return structOf(view, ...values.map(wire.readAddress));
  },
  get_multiple_escrow_balances: (view, { arguments: values }) => {
    requireArguments(values, 1);
    const addresses = values.flatMap(wire.readVec).map(wire.readAddress);
    if (addresses.length > balancesMax) throw contractRefusal('Too many escrows requested');
    const escrows = addresses.map((address) => findEscrow(view, address));
    return { value: wire.vec(escrows.map(balanceStruct)), entries: escrows.flatMap(entriesOfEscrow) };
  },
};

/** Undefined when the function is none that only reads. */
export function readContract(view: LedgerView, invocation: Invocation): ContractRead | undefined {
  const { functionName } = invocation;
  return Object.hasOwn(readers, functionName) ? readers[functionName]?.(view, invocation) : undefined;
}

function requireArguments(values: readonly xdr.ScVal[], count: number): void {
  if (values.length !== count) throw contractRefusal(`The function has ${count} arguments`);
}

function structOf(view: LedgerView, contractId = ''): ContractRead {
  const escrow = findEscrow(view, contractId);
  return { value: escrowStruct(escrow), entries: entriesOfEscrow(escrow) };
}

function findEscrow(view: LedgerView, contractId: string): Escrow {
  const escrow = view.find('escrows', contractId);
  if (escrow === undefined) throw contractRefusal('The escrow was not found');
  return escrow;
}

function balanceStruct({ contractId, balanceUnits }: Escrow): xdr.ScVal {
  return wire.struct({
    address: wire.address(contractId),
    balance: wire.i128(balanceUnits),
    trustline_decimals: wire.u32(tokenDecimals),
  });
}
