import type { EscrowType } from '../domain/escrow.js';

/** The published versions of the contracts. `v1`: a payout names the provider's fee address; `v1-mainnet`: it is in the code. */
export const contractVersions = ['v1', 'v1-mainnet'] as const;
export type ContractVersion = (typeof contractVersions)[number];

export const wireTypes = [
  'Address',
  'BytesN<32>',
  'Escrow',
  'Map<Address, i128>',
  'Option<String>',
  'String',
  'Symbol',
  'Vec<Address>',
  'Vec<Val>',
  'i128',
  'u32',
] as const;
export type WireType = (typeof wireTypes)[number];

/** An argument of a function: its name and type in the contract, and its property in a `ContractCall`. */
export type Argument = { readonly name: string; readonly type: WireType; readonly property: string };

/** The arguments of each function, in order. */
export type FunctionTable = Readonly<Record<string, readonly Argument[]>>;

const argument = (name: string, type: WireType, property: string): Argument => ({ name, type, property });

/** The caller must have authorized the call. */
const caller = (name: string): Argument => argument(name, 'Address', 'caller');
const feesAddress = argument('trustless_work_address', 'Address', 'feesAddress');
const milestoneIndex = argument('milestone_index', 'u32', 'index');
const distributions = argument('distributions', 'Map<Address, i128>', 'distributions');
const properties = argument('escrow_properties', 'Escrow', 'properties');

const deployment: readonly Argument[] = [
  caller('signer'),
  argument('wasm_hash', 'BytesN<32>', 'wasmHash'),
  argument('salt', 'BytesN<32>', 'salt'),
  argument('init_fn', 'Symbol', 'initFunction'),
  argument('init_args', 'Vec<Val>', 'initArguments'),
  argument('constructor_args', 'Vec<Val>', 'constructorArguments'),
];

const ofBothTypes: FunctionTable = {
  initialize_escrow: [properties],
  fund_escrow: [caller('signer'), argument('expected_escrow', 'Escrow', 'expected'), argument('amount', 'i128', 'units')],
  change_milestone_status: [
    milestoneIndex,
    argument('new_status', 'String', 'status'),
    argument('new_evidence', 'Option<String>', 'evidence'),
    caller('service_provider'),
  ],
  approve_milestone: [milestoneIndex, caller('approver')],
  withdraw_remaining_funds: [caller('dispute_resolver'), feesAddress, distributions],
  update_escrow: [caller('platform'), properties],
  extend_contract_ttl: [caller('platform'), argument('ledgers_to_extend', 'u32', 'ledgers')],
  get_escrow: [],
  get_escrow_by_contract_id: [argument('contract_id', 'Address', 'contractId')],
  get_multiple_escrow_balances: [argument('addresses', 'Vec<Address>', 'addresses')],
};

const v1: Readonly<Record<EscrowType, FunctionTable>> = {
  'single-release': {
    tw_new_single_release_escrow: deployment,
    ...ofBothTypes,
    release_funds: [caller('release_signer'), feesAddress],
    dispute_escrow: [caller('signer')],
    resolve_dispute: [caller('dispute_resolver'), feesAddress, distributions],
  },
  'multi-release': {
    tw_new_multi_release_escrow: deployment,
    ...ofBothTypes,
    release_milestone_funds: [caller('release_signer'), feesAddress, milestoneIndex],
    dispute_milestone: [milestoneIndex, caller('signer')],
    resolve_milestone_dispute: [caller('dispute_resolver'), milestoneIndex, feesAddress, distributions],
  },
};

/** The functions of a contract. A factory has the code of the contracts that it deploys, so it has the same functions. */
export function functionsOf(version: ContractVersion, type: EscrowType): FunctionTable {
  return version === 'v1' ? v1[type] : withoutFeesAddress(v1[type]);
}

function withoutFeesAddress(table: FunctionTable): FunctionTable {
  const entries = Object.entries(table);
  return Object.fromEntries(entries.map(([name, list]) => [name, list.filter((each) => each !== feesAddress)]));
}
