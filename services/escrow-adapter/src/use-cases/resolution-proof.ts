import { AppError } from '@holdfast/kernel/errors';
import { formatUnits } from '@holdfast/kernel/money';
import { assetOf, type Contract, type DeployedContract } from '../domain/contract.js';
import type { ContractState } from '../domain/contract-state.js';
import type { Settlement } from '../domain/plan.js';
import { objectionToFunding, objectionToSettlement } from '../domain/resolution-objections.js';
import { provableSettlement } from '../domain/settlement-scope.js';
import { landedStep } from '../domain/steps.js';
import { refOf, stateIn } from './read-state.js';
import { requireDeployed } from './require-contract.js';
import type { IntentOfRun, ResolutionDeps, ResolveRun } from './resolution-ports.js';
import { settlementRequestOf, toSettlement } from './settlement-request.js';
import { ProviderRefused } from '@holdfast/ledger-network/values';

/**
 * The network decides which outcome can be true: a failure if nothing was paid, a success if everything was. A success also names the
 * transaction that did it. Throws SERVICE_UNAVAILABLE where the network cannot be read.
 */
export async function requireProof(deps: ResolutionDeps, run: IntentOfRun, input: ResolveRun): Promise<void> {
  if (run.intent.kind === 'deploy') return requireDeployment(deps, run, input);
  if (input.contractId !== undefined) refuse('only a deployment has a new contract id');
  const contract = requireDeployed(run.contract);
  const { outcome, transactionHash } = input;
  if (outcome === 'succeeded' && transactionHash === undefined) return refuse(needsTransaction);
  if (transactionHash !== undefined) await requirePaid(deps, run, contract, transactionHash);
  const objection = objectionTo(outcome, run, contract, await currentState(deps, contract));
  if (objection !== undefined) refuse(objection);
}

const needsTransaction = 'a success needs the hash of its transaction as proof';

function objectionTo(
  outcome: ResolveRun['outcome'],
  run: IntentOfRun,
  contract: Contract,
  state: ContractState,
): string | undefined {
  const { intent, transactions } = run;
  if (intent.kind === 'fund') return objectionToFunding(outcome, contract, state);
  const ended = transactions.filter(({ state: end }) => end === 'ended');
  return objectionToSettlement(outcome, contract, state, {
    settlement: settlementOf(run),
    landed: ended.flatMap(({ step }) => landedStep(step) ?? []),
    hasForgotten: transactions.some(({ state: end }) => end === 'forgotten'),
  });
}

/** The settlement of the run, which may have ended: what it has paid itself does not refuse it. */
function settlementOf({ intent, contract }: IntentOfRun): Settlement {
  const provable = provableSettlement(contract, toSettlement(settlementRequestOf(intent)));
  return provable ?? refuse('the contract has no such milestone');
}

async function currentState(deps: ResolutionDeps, contract: DeployedContract): Promise<ContractState> {
  try {
    return stateIn(deps, contract, await deps.rpc.contractEntries([refOf(deps, contract)]));
  } catch (error) {
    if (error instanceof ProviderRefused) refuse(error.message);
    throw error;
  }
}

/** A funding pays the whole amount into the contract. A settlement pays it out, with several milestones each by its own transaction. */
async function requirePaid(deps: ResolutionDeps, run: IntentOfRun, contract: DeployedContract, hash: string): Promise<void> {
  const transfers = await transfersOf(deps, contract, hash);
  if (transfers === undefined) return refuse(`the ledger network has no successful transaction ${hash}`);
  const { contractId, amount } = contract;
  const isFunding = run.intent.kind === 'fund';
  const found = transfers.filter(({ from, to }) => (isFunding ? to : from) === contractId);
  const paidUnits = sumOf(found.map(({ units }) => units));
  const ways = isFunding ? 'into' : 'out of';
  if (paidUnits === 0n) refuse(`transaction ${hash} pays nothing ${ways} the contract ${contractId}`);
  // One of our own was compared before it was signed, and pays only what strangers have not paid in.
  if (isEnough(run, paidUnits) || isOwn(run, hash)) return;
  const [wantedUnits, what] = isOfOne(run) ? [sumOf(unitsOf(run)), 'the milestone'] : [amount.units, 'everything'];
  refuse(
    `transaction ${hash} pays ${formatUnits(paidUnits)} of ${formatUnits(wantedUnits)} ${amount.currency} ${ways} the contract ${contractId}; a success needs the transaction that paid ${what}`,
  );
}

/** A payout of one milestone pays exactly its amount; another amount belongs to another milestone. */
function isEnough(run: IntentOfRun, paidUnits: bigint): boolean {
  return unitsOf(run).some((units) => (isOfOne(run) ? paidUnits === units : paidUnits >= units));
}

/** What each transaction of the run pays: the whole amount, or the amount of a milestone. */
function unitsOf(run: IntentOfRun): readonly bigint[] {
  const { type, amount, milestones } = run.contract;
  if (run.intent.kind === 'fund' || type === 'single-release') return [amount.units];
  const { milestones: paid } = settlementOf(run);
  return milestones.filter((_, index) => paid?.includes(index) ?? true).map(({ units }) => units);
}

function isOfOne({ intent }: IntentOfRun): boolean {
  return intent.subjectPart !== undefined;
}

function isOwn({ transactions }: IntentOfRun, transactionHash: string): boolean {
  return transactions.some(({ hash, state }) => hash === transactionHash && state !== 'open');
}

function sumOf(units: readonly bigint[]): bigint {
  return units.reduce((sum, each) => sum + each, 0n);
}

type Paid = { readonly from: string; readonly to: string; readonly units: bigint };

/** The transfers of the escrowed token. Undefined without a successful transaction. Nodes keep a few days; older ones are in the network's history. */
async function transfersOf(deps: ResolutionDeps, { amount }: Contract, hash: string): Promise<readonly Paid[] | undefined> {
  const { rpc, network, expectations } = deps;
  const recent = await rpc.findTransaction(hash);
  if (recent !== undefined) {
    const token = expectations.tokenOf(amount.currency);
    return recent.status === 'landed' ? recent.transfers.filter((moved) => moved.token === token) : undefined;
  }
  const old = await network.transaction(hash);
  if (old?.isSuccessful !== true) return undefined;
  const asset = assetOf(amount.currency);
  return (await network.transfers(hash)).filter((moved) => moved.asset === asset);
}

/** The success of a deployment is proved by its transaction and its contract. It fails if none of its transactions has made a contract. */
async function requireDeployment(deps: ResolutionDeps, run: IntentOfRun, input: ResolveRun): Promise<void> {
  const { outcome, transactionHash, contractId } = input;
  if (outcome === 'failed') {
    if (contractId !== undefined) refuse('a failed deployment has no contract id');
    return requireNoDeployment(deps, run);
  }
  if (transactionHash === undefined) return refuse(needsTransaction);
  if (contractId === undefined) return refuse('a deployment needs its contract id');
  // Every deployment of this platform is stored before it is submitted, so the one that landed is known by its hash.
  if (!isOwn(run, transactionHash)) refuse(`transaction ${transactionHash} is not a deployment of this run that has landed`);
  await requireOwnContract(deps, run.contract, contractId);
}

/** A deployment that has moved something else than it must may have made no contract of this order, so it may fail. */
async function requireNoDeployment(deps: ResolutionDeps, { transactions, contract }: IntentOfRun): Promise<void> {
  for (const { hash, state, isMismatched } of transactions) {
    if (state === 'open' || isMismatched) continue;
    const hasLanded = state === 'ended' || (await transfersOf(deps, contract, hash)) !== undefined;
    if (hasLanded)
      refuse(`transaction ${hash} has made its contract, so it can only be resolved as succeeded, with the contract id`);
  }
}

async function requireOwnContract(
  { rpc, expectations, contracts }: ResolutionDeps,
  { escrowId, orderId, type, amount }: Contract,
  contractId: string,
): Promise<void> {
  const read = await rpc.contractEntries([{ contractId, type, token: expectations.tokenOf(amount.currency) }]);
  const { escrow, wasmHash } = read.contracts.get(contractId) ?? {};
  if (escrow === undefined) return refuse(`the ledger network has no contract ${contractId}`);
  const isRequested = escrow !== 'unreadable' && escrow.terms.engagementId === orderId;
  if (!isRequested || wasmHash !== expectations.wasmHashOf(type)) refuse(`contract ${contractId} does not belong to the order`);
  const owner = await contracts.findByContractId(contractId);
  if (owner !== undefined && owner !== escrowId) refuse(`contract ${contractId} belongs to ${owner}`);
}

export function refuse(reason: string): never {
  throw new AppError('INVALID_STATE', { reason }, { message: `The run cannot be resolved: ${reason}.` });
}
