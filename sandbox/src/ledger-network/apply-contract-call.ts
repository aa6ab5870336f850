import { contractIdOf, type ContractCall, type DeployCall } from '../contract-calls/contract-call.js';
import { credit, debit, type Account } from '../domain/account.js';
import { issuedAsset, type Transfer } from '../domain/assets.js';
import { applyEscrowCall } from '../domain/escrow-rules.js';
import type { Escrow, EscrowCall } from '../domain/escrow.js';
import { newEscrow } from '../domain/new-escrow.js';
import { OperationFailure, contractRefusal, type OperationCode } from '../domain/operation-failure.js';
import type { StoreTransaction } from '../store/store.js';

export type ContractEffect = {
  readonly before: Escrow | undefined;
  readonly after: Escrow;
  readonly transfers: readonly Transfer[];
};

export type ContractRules = { readonly feesAddress: string; readonly deployerContractId: string };

/** Applies a contract call and its transfers in a store transaction, or throws the contract's refusal. */
export function applyContractCall(
  transaction: StoreTransaction,
  { contractId, call }: ContractCall,
  rules: ContractRules,
  at: string,
): ContractEffect {
  const effect =
    call.name === 'deploy_escrow'
      ? deploy(transaction, call, contractId === rules.deployerContractId, at)
      : change(transaction, contractId, call, rules.feesAddress);
  const after = { ...effect.after, updatedAt: at };
  for (const transfer of effect.transfers) move(transaction, transfer);
  transaction.put('escrows', after.contractId, after);
  return { ...effect, after };
}

function deploy(transaction: StoreTransaction, call: DeployCall, isDeployer: boolean, at: string): ContractEffect {
  const contractId = contractIdOf(call);
  const issuer = issuedAsset(call.properties.asset)?.issuer;
  if (!isDeployer) throw contractRefusal('The contract has no such function');
  if (transaction.find('escrows', contractId) !== undefined) throw contractRefusal('The escrow has already been initialized');
  if (issuer !== undefined && transaction.find('accounts', issuer) === undefined)
    throw contractRefusal('The token does not exist');
  return { before: undefined, after: newEscrow(call.properties, { contractId, signer: call.caller, at }), transfers: [] };
}

function change(transaction: StoreTransaction, contractId: string, call: EscrowCall, feesAddress: string): ContractEffect {
  const before = transaction.find('escrows', contractId);
  if (before === undefined) throw contractRefusal('The escrow was not found');
  const { escrow, transfers } = applyEscrowCall(before, call, feesAddress);
  return { before, after: escrow, transfers };
}

/** Only accounts are changed here: the rules have already changed the balance of the contract. */
function move(transaction: StoreTransaction, { from, to, asset, units }: Transfer): void {
  if (isAccount(from)) put(transaction, from, (account) => debit(account, asset, units));
  if (isAccount(to)) put(transaction, to, (account) => credit(account, asset, units));
}

function isAccount(address: string): boolean {
  return address.startsWith('G');
}

function put(transaction: StoreTransaction, id: string, change: (account: Account) => Account): void {
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
