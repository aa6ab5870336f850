import type { DeployedContract } from '../domain/contract.js';
import type { ContractState } from '../domain/contract-state.js';
import { isAnyPaidOut, planSettlement, type Settlement } from '../domain/plan.js';
import { afterStep, nameOf, paysOut, signerOf, type Party, type SettlementStep } from '../domain/steps.js';
import type { Run } from './endings.js';
import type { Deps, Signer, TransactionResult } from './ports.js';
import { tryReadState } from './read-state.js';

export type SettlementRun = Run & {
  readonly contract: DeployedContract;
  readonly wanted: Settlement;
  /** Steps that have landed for this intent, in order; grows. */
  readonly landed: SettlementStep[];
};

/** `to a stop`: it cannot go on now, and only what is not bound by a payout may be called off. */
export type CarriedThrough =
  | { readonly came: 'to an end' | 'into the unknown' }
  | { readonly came: 'to a stop'; readonly reason: string; readonly isBound: boolean };

type Performed = { readonly party: Party; readonly step: SettlementStep } & (
  { readonly result: TransactionResult } | { readonly error: unknown }
);

type Progress = {
  state: ContractState;
  readonly underWay: Map<Party, Promise<Performed>>;
  /** Why nothing new is begun; what is under way comes to its end first. */
  trouble?: Trouble;
  retries: number;
};

type Trouble =
  | { readonly is: 'unknown' }
  | { readonly is: 'refused' | 'lost' | 'unreachable'; readonly reason: string }
  | { readonly is: 'broken'; readonly error: unknown };

/** How often a step that was refused or lost is planned anew, with a fresh look at the contract. */
const retriesMax = 2;

/**
 * Does step after step, each as soon as what it needs has landed; steps of different signers at the same time. What has been
 * done before, by whomever, is skipped.
 */
export async function carryThrough(deps: Deps, run: SettlementRun): Promise<CarriedThrough> {
  const first = await currentState(deps, run);
  if ('reason' in first) return { came: 'to a stop', reason: first.reason, isBound: run.landed.some(paysOut) };
  const progress: Progress = { state: first.state, underWay: new Map(), retries: 0 };
  for (;;) {
    const plan = planSettlement(run.contract, run.wanted, progress.state);
    if (plan.can === 'go' && progress.trouble === undefined) beginSteps(deps, run, progress, plan.steps);
    if (progress.underWay.size > 0) {
      note(run, progress, await Promise.race(progress.underWay.values()));
      continue;
    }
    if (plan.can === 'never') return toAStop(progress, plan.reason);
    if (progress.trouble === undefined) return { came: 'to an end' };
    if (!(await recovers(deps, run, progress))) return giveWay(progress, progress.trouble);
  }
}

/** What the provider reads may lag behind what we know to have landed. */
async function currentState(deps: Deps, { contract, intent, landed }: SettlementRun): ReturnType<typeof tryReadState> {
  const read = await tryReadState(deps, contract, { priority: intent.priority });
  return 'reason' in read ? read : { state: landed.reduce(afterStep, read.state) };
}

function beginSteps(deps: Deps, run: SettlementRun, { underWay }: Progress, steps: readonly SettlementStep[]): void {
  for (const step of steps) {
    const party = signerOf(step);
    if (!underWay.has(party)) underWay.set(party, perform(deps, run, party, step));
  }
}

async function perform(deps: Deps, run: SettlementRun, party: Party, step: SettlementStep): Promise<Performed> {
  const { contract, intent, signal, session } = run;
  const { contractId, type, addresses } = contract;
  try {
    const result = await session.carryOut({
      step: nameOf(step),
      asked: `${nameOf(step)} ${contractId} ${run.wanted.sellerUnits} ${run.wanted.buyerUnits}`,
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

function note(run: SettlementRun, progress: Progress, performed: Performed): void {
  progress.underWay.delete(performed.party);
  if ('result' in performed && performed.result.outcome === 'landed') {
    progress.state = afterStep(progress.state, performed.step);
    run.landed.push(performed.step);
    return;
  }
  // What is unknown outweighs everything: as long as something may land nothing can be called off.
  if (progress.trouble?.is !== 'unknown') progress.trouble = troubleOf(performed);
}

function troubleOf(performed: Performed): Trouble {
  if ('error' in performed) return { is: 'broken', error: performed.error };
  const { result } = performed;
  if (result.outcome === 'unknown' || result.outcome === 'landed') return { is: 'unknown' };
  if (result.outcome === 'never') return { is: 'lost', reason: result.reason };
  if (result.outcome === 'unbuilt' && !result.isRefusal) return { is: 'unreachable', reason: result.reason };
  return { is: 'refused', reason: result.reason };
}

/** A refusal may mean that somebody else was faster: the contract is read again, and the plan made anew. */
async function recovers(deps: Deps, run: SettlementRun, progress: Progress): Promise<boolean> {
  const { trouble, retries } = progress;
  if (trouble === undefined || (trouble.is !== 'refused' && trouble.is !== 'lost') || retries >= retriesMax) return false;
  const read = await currentState(deps, run);
  if ('reason' in read) return false;
  progress.retries += 1;
  progress.state = read.state;
  delete progress.trouble;
  return true;
}

function giveWay(progress: Progress, trouble: Trouble): CarriedThrough {
  if (trouble.is === 'unknown') return { came: 'into the unknown' };
  if (trouble.is === 'broken') throw trouble.error;
  return toAStop(progress, trouble.reason);
}

function toAStop({ state }: Progress, reason: string): CarriedThrough {
  return { came: 'to a stop', reason, isBound: isAnyPaidOut(state) };
}
