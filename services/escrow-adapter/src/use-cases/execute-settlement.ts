import type { DeployedContract } from '../domain/contract.js';
import type { ContractState } from '../domain/contract-state.js';
import {
  contradicted,
  isAnyPaidOut,
  isResolvedByOthers,
  planSettlement,
  payoutSubjectOf,
  type Plan,
  type Settlement,
} from '../domain/plan.js';
import { afterStep, nameOf, paysOut, signerOf, type Party, type SettlementStep } from '../domain/steps.js';
import { buildOptionsOf, type IntentRun } from './close-intent.js';
import type { Deps } from './ports.js';
import { tryReadState } from './read-state.js';
import { refusalText, reportRefusedSigning } from './report-refused-signing.js';
import type { Signer, TransactionResult } from '@holdfast/ledger-network/submission';

export type SettlementRun = IntentRun<'settle'> & {
  readonly contract: DeployedContract;
  readonly settlement: Settlement;
  /** Steps that have landed for this intent, in order. The run appends to it. */
  readonly landed: SettlementStep[];
  /** The ledger of the last of them. */
  sinceLedger: number;
};

/** `stopped`: no step can be taken now. The settlement may fail only while it is not past its point of no return. */
export type SettlementResult =
  /** `expired`: the next run builds the transaction again. */
  | { readonly status: 'completed' | 'unknown' | 'expired' }
  | {
      readonly status: 'stopped';
      readonly reason: string;
      readonly isPastNoReturn: boolean;
      /** No retry helps. */
      readonly isContradiction?: boolean;
      /** A later run may succeed. */
      readonly isPassing?: boolean;
    };

type StepResult = { readonly party: Party; readonly step: SettlementStep } & (
  { readonly result: TransactionResult } | { readonly error: unknown }
);

type Progress = {
  state: ContractState;
  readonly inFlight: Map<Party, Promise<StepResult>>;
  /** While it is set no new step starts; steps in flight are still awaited. */
  failure?: StepFailure;
  retries: number;
};

type StepFailure =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused' | 'expired' | 'mismatched' | 'unreachable' | 'not signed'; readonly reason: string }
  | { readonly kind: 'error'; readonly error: unknown };

/** How often the contract is read and planned again after a step was refused or its transaction expired. */
const retriesMax = 2;

/**
 * Executes the planned steps, each as soon as its prerequisites have landed; steps of different signers run in parallel. Steps
 * whose effect the contract already has are skipped.
 */
export async function executeSettlement(deps: Deps, run: SettlementRun): Promise<SettlementResult> {
  const first = await currentState(deps, run);
  if ('reason' in first)
    return { status: 'stopped', reason: first.reason, isPastNoReturn: run.landed.some(paysOut), isPassing: !first.isFinal };
  const progress: Progress = { state: first.state, inFlight: new Map(), retries: 0 };
  for (;;) {
    const plan = planOf(run, progress.state);
    if (plan.status === 'possible' && progress.failure === undefined) startSteps(deps, run, progress, plan.steps);
    if (progress.inFlight.size > 0) {
      recordStep(run, progress, await Promise.race(progress.inFlight.values()));
      continue;
    }
    if (plan.status === 'impossible')
      return { ...stopped(run, progress, plan.reason), isContradiction: plan.isContradiction === true };
    if (progress.failure === undefined) return { status: 'completed' };
    if (!(await retryAfterRefusal(deps, run, progress))) return resultOfFailure(run, progress, progress.failure);
  }
}

function planOf({ contract, settlement, landed }: SettlementRun, state: ContractState): Plan<SettlementStep> {
  if (isResolvedByOthers(contract, state, landed, settlement))
    return contradicted(`the ${payoutSubjectOf(settlement)} was resolved outside this platform`);
  return planSettlement(contract, settlement, state);
}

/** Reads the contract's state on the network, after the landed steps. */
async function currentState(deps: Deps, { contract, signal, sinceLedger }: SettlementRun): ReturnType<typeof tryReadState> {
  return tryReadState(deps, contract, { signal, sinceLedger });
}

function startSteps(deps: Deps, run: SettlementRun, { inFlight }: Progress, steps: readonly SettlementStep[]): void {
  for (const step of steps) {
    const party = signerOf(step);
    if (!inFlight.has(party)) inFlight.set(party, executeStep(deps, run, party, step));
  }
}

async function executeStep(deps: Deps, run: SettlementRun, party: Party, step: SettlementStep): Promise<StepResult> {
  const { contract, session } = run;
  const { contractId, type, addresses } = contract;
  try {
    const result = await session.execute({
      step: nameOf(step),
      requestText: `${nameOf(step)} ${contractId} ${run.settlement.sellerUnits} ${run.settlement.buyerUnits}`,
      signers: [signerFor(contract, party)],
      build: () => deps.provider.buildStep({ contractId, type, addresses }, step, buildOptionsOf(run)),
      expect: () => deps.expectations.step(contract, step),
    });
    if (result.status === 'refused') await reportRefusedSigning(deps, run, result);
    return { party, step, result };
  } catch (error) {
    return { party, step, error };
  }
}

function signerFor({ buyerId, sellerId, addresses }: DeployedContract, party: Party): Signer {
  const address = addresses[party];
  if (party === 'platform') return { role: 'platform', address };
  return { role: { wallet: party === 'buyer' ? buyerId : sellerId }, address };
}

function recordStep(run: SettlementRun, progress: Progress, performed: StepResult): void {
  progress.inFlight.delete(performed.party);
  if ('result' in performed && performed.result.status === 'landed') {
    progress.state = afterStep(progress.state, performed.step);
    run.landed.push(performed.step);
    run.sinceLedger = Math.max(run.sinceLedger, performed.result.ledger);
    return;
  }
  // An unknown result outweighs other failures: while a transaction may land the settlement cannot fail.
  if (progress.failure?.kind !== 'unknown') progress.failure = failureOf(performed);
}

function failureOf(performed: StepResult): StepFailure {
  if ('error' in performed) return { kind: 'error', error: performed.error };
  const { result } = performed;
  if (result.status === 'unknown' || result.status === 'landed') return { kind: 'unknown' };
  if (result.status === 'refused') return { kind: 'not signed', reason: refusalText(result) };
  if (result.status === 'expired' || result.status === 'mismatched') return { kind: result.status, reason: result.reason };
  if (result.status === 'not-built' && !result.isRefusal) return { kind: 'unreachable', reason: result.reason };
  return { kind: 'refused', reason: result.reason };
}

/** A refusal may mean that the contract has changed meanwhile: it is read and planned again. */
async function retryAfterRefusal(deps: Deps, run: SettlementRun, progress: Progress): Promise<boolean> {
  const { failure, retries } = progress;
  if (failure === undefined || (failure.kind !== 'refused' && failure.kind !== 'expired') || retries >= retriesMax) return false;
  const read = await currentState(deps, run);
  if ('reason' in read) return false;
  progress.retries += 1;
  progress.state = read.state;
  delete progress.failure;
  return true;
}

function resultOfFailure(run: SettlementRun, progress: Progress, failure: StepFailure): SettlementResult {
  if (failure.kind === 'unknown' || failure.kind === 'expired') return { status: failure.kind };
  if (failure.kind === 'error') throw failure.error;
  if (failure.kind === 'mismatched')
    return { status: 'stopped', reason: failure.reason, isPastNoReturn: true, isContradiction: true };
  return { ...stopped(run, progress, failure.reason), isPassing: failure.kind === 'unreachable' };
}

function stopped({ settlement }: SettlementRun, { state }: Progress, reason: string) {
  return { status: 'stopped', reason, isPastNoReturn: isAnyPaidOut(state, settlement) } as const;
}
