import { decodeCall } from '../contract-calls/call-codec.js';
import {
  contractIdOf,
  deployFunctions,
  isDeployment,
  type ContractCall,
  type DeployCall,
  type Invocation,
} from '../contract-calls/contract-call.js';
import { functionsOf, type ContractVersion } from '../contract-calls/contract-versions.js';
import { readEscrow } from '../contract-calls/escrow-struct.js';
import { credit, debit, type Account } from '../domain/account.js';
import type { AssetKey, Transfer } from '../domain/assets.js';
import { applyEscrowCall } from '../domain/escrow-rules.js';
import { escrowTypes, type Escrow, type EscrowCall, type EscrowType } from '../domain/escrow.js';
import { newEscrow } from '../domain/new-escrow.js';
import { OperationFailure, contractRefusal, escrowNotFound, type OperationCode } from '../domain/operation-failure.js';
import type { StoreTransaction } from '../store/store.js';
import type { Factory } from './genesis.js';

export type ContractEffect = {
  readonly before: Escrow | undefined;
  readonly after: Escrow;
  readonly transfers: readonly Transfer[];
};

export type ContractRules = {
  readonly version: ContractVersion;
  readonly networkId: Buffer;
  readonly contracts: Readonly<Record<EscrowType, Factory>>;
  /** The assets by the address of their token's contract. */
  readonly tokens: ReadonlyMap<string, AssetKey>;
  /** Receives the provider's fee in the versions where its address is in the code. */
  readonly feesAddress: string;
};

/** Reads a call by the functions of the called contract, or throws the refusal. */
export function readCall({ find }: Pick<StoreTransaction, 'find'>, invocation: Invocation, rules: ContractRules): ContractCall {
  const { contractId } = invocation;
  const type = factoryType(contractId, rules) ?? find('escrows', contractId)?.type;
  if (type === undefined) throw contractRefusal('The contract does not exist');
  return decodeCall({ type, functions: functionsOf(rules.version, type) }, invocation);
}

function factoryType(contractId: string, { contracts }: ContractRules): EscrowType | undefined {
  return escrowTypes.find((type) => contracts[type].factory === contractId);
}

/** Applies a contract call and its transfers in a store transaction, or throws the contract's refusal. */
export function applyContractCall(
  transaction: StoreTransaction,
  { contractId, call }: ContractCall,
  rules: ContractRules,
  at: string,
): ContractEffect {
  const effect = isDeployment(call)
    ? { before: undefined, after: deployed(transaction, contractId, call, { rules, at }), transfers: [] }
    : change(transaction, contractId, call, rules.feesAddress);
  const after = { ...effect.after, updatedAt: at };
  for (const transfer of effect.transfers) move(transaction, transfer);
  transaction.put('escrows', after.contractId, after);
  return { ...effect, after };
}

type DeployContext = { readonly rules: ContractRules; readonly at: string };

function deployed(transaction: StoreTransaction, factory: string, call: DeployCall, { rules, at }: DeployContext): Escrow {
  const type = deployFunctions[call.name];
  if (transaction.find('escrows', factory) !== undefined) throw contractRefusal('The contract holds an escrow itself');
  if (call.wasmHash !== rules.contracts[type].wasmHash) throw contractRefusal('The network has no code with this hash');
  if (call.constructorArguments.length > 0) throw contractRefusal('The contract has no constructor');
  if (call.initFunction !== 'initialize_escrow') throw contractRefusal('The contract has no such function');
  const [properties, ...others] = call.initArguments;
  if (properties === undefined || others.length > 0) throw contractRefusal('The function initialize_escrow has 1 arguments');
  const state = readEscrow(type, properties);
  const contractId = contractIdOf({ networkId: rules.networkId, factory, salt: call.salt });
  if (transaction.find('escrows', contractId) !== undefined) throw contractRefusal('The escrow has already been initialized');
  const asset = rules.tokens.get(state.token);
  if (asset === undefined) throw contractRefusal('The token does not exist');
  return newEscrow(state, { contractId, signer: call.caller, asset, at });
}

function change(transaction: StoreTransaction, contractId: string, call: EscrowCall, feesAddress: string): ContractEffect {
  const before = transaction.find('escrows', contractId);
  if (before === undefined) throw contractRefusal(escrowNotFound);
  const { escrow, transfers } = applyEscrowCall(before, call, { feesAddress });
  return { before, after: escrow, transfers };
}

/** Only accounts are changed here: the rules have already changed the balance of the contract. */
function move(transaction: StoreTransaction, { from, to, asset, units }: Transfer): void {
  if (isAccount(from)) changeAccount(transaction, from, (account) => debit(account, asset, units));
  if (isAccount(to)) changeAccount(transaction, to, (account) => credit(account, asset, units));
  if (!isAccount(from) && !isAccount(to)) throw contractRefusal('Payouts to contracts are not supported by the sandbox');
}

export function isAccount(address: string): boolean {
  return address.startsWith('G');
}

/** Changes an account for a contract, or throws the refusal of the contract. */
export function changeAccount(transaction: StoreTransaction, id: string, change: (account: Account) => Account): void {
  const account = transaction.find('accounts', id);
  if (account === undefined) throw contractRefusal(`The account ${id} does not exist`);
  try {
    transaction.put('accounts', id, change(account));
  } catch (error) {
    throw error instanceof OperationFailure ? contractRefusal(refusalText(error.code, id)) : error;
  }
}

function refusalText(code: OperationCode, id: string): string {
  if (code === 'op_underfunded') return `The account ${id} does not have enough tokens`;
  if (code === 'op_line_full') return `The account ${id} cannot hold that many tokens`;
  return `The account ${id} has no trustline for the token`;
}
