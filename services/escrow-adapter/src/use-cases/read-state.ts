import { retry } from '@holdfast/kernel/async';
import { AppError } from '@holdfast/kernel/errors';
import type { DeployedContract } from '../domain/contract.js';
import type { ContractState } from '../domain/contract-state.js';
import { isSettled } from '../domain/plan.js';
import { differingTerm, type StoredEscrow } from '../domain/stored-escrow.js';
import type { CallOptions, Deps } from './ports.js';
import { ContractBeingRestored, restoreContract, type RestoreDeps } from './restore-contract.js';
import type { ContractEntries, Spendable } from './entry-ports.js';
import type { SpendingKeys } from '@holdfast/ledger-network/rpc';
import { ProviderRefused } from '@holdfast/ledger-network/values';

/** Nodes may lag a ledger behind each other. The delays are short, because a request waits for the saga. */
const readRetries = {
  attemptsMax: 5,
  firstDelayMs: 150,
  shouldRetry: (error: unknown): boolean => !(error instanceof ProviderRefused),
};

export type ReadOptions = Pick<CallOptions, 'signal'> & {
  /** Contains a change of the contract that the state must show. */
  readonly sinceLedger?: number;
};

/** The state of a contract, and what accounts can spend in the same ledger. */
export type StateAndPayers = { readonly state: ContractState; readonly spendable: Spendable };

/**
 * Returns the contract's state from the network. Throws ProviderRefused if it is not the contract that was requested, so that nothing
 * is paid into it. An archived contract is restored first.
 */
export async function readState(deps: RestoreDeps, contract: DeployedContract, options: ReadOptions): Promise<ContractState> {
  return (await readStateAnd(deps, contract, undefined, options)).state;
}

async function readStateAnd(
  deps: RestoreDeps,
  contract: DeployedContract,
  payers: SpendingKeys | undefined,
  { signal, sinceLedger = 0 }: ReadOptions,
): Promise<StateAndPayers> {
  const read = async (): Promise<StateAndPayers> => {
    const entries = await deps.rpc.contractEntries([refOf(deps, contract)], payers);
    const state = stateIn(deps, contract, entries, Math.max(contract.lastLedger, sinceLedger));
    return { state, spendable: entries.spendable };
  };
  const retries = signal === undefined ? readRetries : { ...readRetries, signal };
  try {
    return await read();
  } catch (error) {
    if (error instanceof ContractNotShown) await restoreContract(deps, contract);
    if (error instanceof ProviderRefused) throw error;
  }
  return retry(read, retries);
}

/** The network does not show entries that the contract must have. They may be archived. */
export class ContractNotShown extends AppError {
  constructor(what: string) {
    super('SERVICE_UNAVAILABLE', { dependency: 'ledgerNetwork', reason: `the network does not show ${what}` });
    this.name = 'ContractNotShown';
  }
}

export function refOf({ expectations }: Pick<Deps, 'expectations'>, { contractId, type, amount }: DeployedContract) {
  return { contractId, type, token: expectations.tokenOf(amount.currency) };
}

/** The state of one of several contracts that were read. */
export function stateIn(
  { expectations }: Pick<Deps, 'expectations'>,
  contract: DeployedContract,
  { latestLedger, contracts }: Pick<ContractEntries, 'latestLedger' | 'contracts'>,
  sinceLedger = contract.lastLedger,
): ContractState {
  if (latestLedger < sinceLedger) throw unavailable('the node does not have the last change of the contract yet');
  const { wasmHash, escrow, balanceUnits } = contracts.get(contract.contractId) ?? {};
  if (wasmHash === undefined || escrow === undefined) throw new ContractNotShown('the contract');
  const token = expectations.tokenOf(contract.amount.currency);
  if (wasmHash !== expectations.wasmHashOf(contract.type)) throw notRequested('code');
  if (escrow === 'unreadable') throw notRequested('form');
  const differing = differingTerm(contract, token, escrow.terms);
  if (differing !== undefined) throw notRequested(differing);
  return { ...escrow.state, balanceUnits: balanceUnits ?? missingBalance(contract, escrow) };
}

/**
 * A contract that never received a payment has no balance on the network. The balance of a funded contract may be archived, which does not
 * mean zero.
 */
function missingBalance(contract: DeployedContract, { state }: StoredEscrow): bigint {
  if (contract.status === 'FUNDED' && !isSettled(contract, { ...state, balanceUnits: 0n }))
    throw new ContractNotShown('the balance of the contract');
  return 0n;
}

function unavailable(reason: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { dependency: 'ledgerNetwork', reason });
}

function notRequested(term: string): ProviderRefused {
  return new ProviderRefused(`the contract is not the one that was requested: its ${term} is another one`);
}

/** `isFinal`: it is not the contract that was requested. Otherwise the network may be read later. */
export type UnreadState = { readonly reason: string; readonly isFinal: boolean };

/** Like `readState`, but returns the reason instead of throwing. Throws only ContractBeingRestored. */
export function tryReadState(
  deps: RestoreDeps,
  contract: DeployedContract,
  options: ReadOptions,
): Promise<{ readonly state: ContractState } | UnreadState> {
  return tryReadStateAnd(deps, contract, undefined, options);
}

/** Like `tryReadState`, with what the payers can spend. */
export async function tryReadStateAnd(
  deps: RestoreDeps,
  contract: DeployedContract,
  payers: SpendingKeys | undefined,
  options: ReadOptions,
): Promise<StateAndPayers | UnreadState> {
  try {
    return await readStateAnd(deps, contract, payers, options);
  } catch (error) {
    if (error instanceof ContractBeingRestored) throw error;
    const reason = error instanceof Error ? error.message : 'the network cannot be read';
    return { reason, isFinal: error instanceof ProviderRefused };
  }
}
