import type { DeployedContract } from '../domain/contract.js';
import type { ContractState } from '../domain/contract-state.js';
import { isAnyPaidOut, planSettlement, type Settlement } from '../domain/plan.js';
import { afterStep, nameOf, paysOut, signerOf, type Party, type SettlementStep } from '../domain/steps.js';
import type { IntentRun } from './close-intent.js';
import type { Deps, Signer, TransactionResult } from './ports.js';
import { tryReadState } from './read-state.js';

export type SettlementRun = IntentRun & {
  readonly contract: DeployedContract;
  readonly wanted: Settlement;
  /** Steps that have landed for this intent, in order; grows. */
  readonly landed: SettlementStep[];
};

/** `to a stop`: it cannot go on now, and only what is not bound by a payout may be called off. */
export type SettlementResult =
  | { readonly status: 'to an end' | 'into the unknown' }
  | { readonly status: 'to a stop'; readonly reason: string; readonly isPastNoReturn: boolean };

type StepResult = { readonly party: Party; readonly step: SettlementStep } & (
  { readonly result: TransactionResult } | { readonly error: unknown }
);

type Progress = {
  state: ContractState;
  readonly inFlight: Map<Party, Promise<StepResult>>;
  /** Why nothing new is begun; what is under way comes to its end first. */
  failure?: StepFailure;
  retries: number;
};

type StepFailure =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused' | 'lost' | 'unreachable'; readonly reason: string }
  | { readonly kind: 'broken'; readonly error: unknown };

/** How often a step that was refused or lost is planned anew, with a fresh look at the contract. */
const retriesMax = 2;

/**
 * Does step after step, each as soon as what it needs has landed; steps of different signers at the same time. What has been
 * done before, by whomever, is skipped.
 */
export async function executeSettlement(deps: Deps, run: SettlementRun): Promise<SettlementResult> {
  const first = await currentState(deps, run);
  if ('reason' in first) return { status: 'to a stop', reason: first.reason, isPastNoReturn: run.landed.some(paysOut) };
  const progress: Progress = { state: first.state, inFlight: new Map(), retries: 0 };
  for (;;) {
    const plan = planSettlement(run.contract, run.wanted, progress.state);
    if (plan.status === 'go' && progress.failure === undefined) startSteps(deps, run, progress, plan.steps);
    if (progress.inFlight.size > 0) {
      recordStep(run, progress, await Promise.race(progress.inFlight.values()));
      continue;
    }
    if (plan.status === 'never') return stopped(progress, plan.reason);
    if (progress.failure === undefined) return { status: 'to an end' };
    if (!(await retryAfterRefusal(deps, run, progress))) return resultOfFailure(progress, progress.failure);
  }
}

/** What the provider reads may lag behind what we know to have landed. */
async function currentState(deps: Deps, { contract, intent, landed }: SettlementRun): ReturnType<typeof tryReadState> {
  const read = await tryReadState(deps, contract, { priority: intent.priority });
  return 'reason' in read ? read : { state: landed.reduce(afterStep, read.state) };
}

function startSteps(deps: Deps, run: SettlementRun, { inFlight }: Progress, steps: readonly SettlementStep[]): void {
  for (const step of steps) {
    const party = signerOf(step);
    if (!inFlight.has(party)) inFlight.set(party, executeStep(deps, run, party, step));
  }
}

async function executeStep(deps: Deps, run: SettlementRun, party: Party, step: SettlementStep): Promise<StepResult> {
  const { contract, intent, signal, session } = run;
  const { contractId, type, addresses } = contract;
  try {
    const result = await session.execute({
      step: nameOf(step),
      requestText: `${nameOf(step)} ${contractId} ${run.wanted.sellerUnits} ${run.wanted.buyerUnits}`,
      operation: step.does,
      signers: [signerFor(contract, party)],
      build: () => deps.provider.buildStep({ contractId, type, addresses }, step, { priority: intent.priority, signal }),
    });
    return { party, step, result };
  } catch (error) {
    return { party, step, error };
  }
}

function signerFor({ buyerId, sellerId, marketplaceId, addresses }: DeployedContract, party: Party): Signer {
  const address = addresses[party];
  if (party === 'platform') return { role: 'platform', address };
  return { role: { user: party === 'buyer' ? buyerId : sellerId, marketplaceId }, address };
}

function recordStep(run: SettlementRun, progress: Progress, performed: StepResult): void {
  progress.inFlight.delete(performed.party);
  if ('result' in performed && performed.result.status === 'landed') {
    progress.state = afterStep(progress.state, performed.step);
    run.landed.push(performed.step);
    return;
  }
  // What is unknown outweighs everything: as long as something may land nothing can be called off.
  if (progress.failure?.kind !== 'unknown') progress.failure = failureOf(performed);
}

function failureOf(performed: StepResult): StepFailure {
  if ('error' in performed) return { kind: 'broken', error: performed.error };
  const { result } = performed;
  if (result.status === 'unknown' || result.status === 'landed') return { kind: 'unknown' };
  if (result.status === 'never') return { kind: 'lost', reason: result.reason };
  if (result.status === 'unbuilt' && !result.isRefusal) return { kind: 'unreachable', reason: result.reason };
  return { kind: 'refused', reason: result.reason };
}

/** A refusal may mean that somebody else was faster: the contract is read again, and the plan made anew. */
async function retryAfterRefusal(deps: Deps, run: SettlementRun, progress: Progress): Promise<boolean> {
  const { failure, retries } = progress;
  if (failure === undefined || (failure.kind !== 'refused' && failure.kind !== 'lost') || retries >= retriesMax) return false;
  const read = await currentState(deps, run);
  if ('reason' in read) return false;
  progress.retries += 1;
  progress.state = read.state;
  delete progress.failure;
  return true;
}

function resultOfFailure(progress: Progress, failure: StepFailure): SettlementResult {
  if (failure.kind === 'unknown') return { status: 'into the unknown' };
  if (failure.kind === 'broken') throw failure.error;
  return stopped(progress, failure.reason);
}

function stopped({ state }: Progress, reason: string): SettlementResult {
  return { status: 'to a stop', reason, isPastNoReturn: isAnyPaidOut(state) };
}
