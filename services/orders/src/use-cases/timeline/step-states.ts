import type { StepState } from '@holdfast/contracts/http';
import { awaitedBy, publishedBy, type Saga, type SagaStep } from '@holdfast/contracts/sagas';

/** What is known of a run of a saga. */
export type RunEvidence = {
  readonly state: 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  /** What escrow-adapter says of its step; undefined if it has not begun, or is not known. */
  readonly network: NetworkEvidence | undefined;
  /** Whether a rule has refused the run: its first step after the start said no. Else it was aborted, or a provider has failed. */
  readonly isRefused: boolean;
};

export type NetworkEvidence = {
  readonly isOpen: boolean;
  /** The types of the messages that the step has ended with. */
  readonly replyTypes: readonly string[];
};

type Named = readonly [name: string, step: SagaStep];
type States = ReadonlyMap<string, StepState>;

/** The steps that a run goes through if everything succeeds, in their order. */
export function mainPathOf({ steps }: Saga): readonly Named[] {
  const published = new Set<string>();
  const path: Named[] = [];
  for (const [name, step] of Object.entries(steps)) {
    const awaited = awaitedBy(step);
    const isNext = path.length === 0 || (awaited.length > 0 && awaited.every(({ type }) => published.has(type)));
    if (!isNext || step.compensates !== undefined || step.aborts !== undefined) continue;
    path.push([name, step]);
    for (const { type } of [...step.publishes, ...(step.informs ?? [])]) published.add(type);
  }
  return path;
}

/** The step of escrow-adapter on the main path, whose intent says how far a run is. */
export function networkStepOf(path: readonly Named[]): Named | undefined {
  return path.find(([, { by, calls }]) => by === 'escrow-adapter' && calls !== undefined);
}

/**
 * The state of each declared step. Steps of other services leave no trace of their own that orders can read: they are done if a later
 * step has begun, or if the run has succeeded.
 */
export function stepStates(saga: Saga, evidence: RunEvidence): States {
  const path = mainPathOf(saga);
  const failed = failedStepOf(path, evidence);
  if (failed === undefined) return statesOnMainPath(saga, path, evidence);
  return statesAfterFailure(saga, path, { failed, evidence });
}

function failedStepOf(path: readonly Named[], { state, network, isRefused }: RunEvidence): Named | undefined {
  const onNetwork = networkStepOf(path);
  if (state === 'RUNNING') return hasFailed(onNetwork, network) ? onNetwork : undefined;
  if (state === 'SUCCEEDED') return undefined;
  const isRefusedAtOnce = network === undefined && isRefused;
  return (isRefusedAtOnce ? undefined : onNetwork) ?? path[1] ?? path[0];
}

function hasFailed(onNetwork: Named | undefined, network: NetworkEvidence | undefined): boolean {
  if (onNetwork === undefined || network === undefined || network.isOpen) return false;
  return !isSuccess(onNetwork[1], network.replyTypes);
}

function isSuccess({ publishes }: SagaStep, replyTypes: readonly string[]): boolean {
  return publishes.some(({ type }) => replyTypes.includes(type));
}

function statesOnMainPath({ steps }: Saga, path: readonly Named[], evidence: RunEvidence): States {
  const states = new Map<string, StepState>();
  const isOver = evidence.state === 'SUCCEEDED';
  const reached = reachedOn(path, evidence);
  const current = path.find(([name]) => reached.possible.has(name) && !reached.done.has(name))?.[0];
  for (const name of Object.keys(steps)) {
    if (reached.done.has(name)) states.set(name, 'done');
    else if (isOver) states.set(name, 'skipped');
    else states.set(name, name === current ? 'current' : 'pending');
  }
  return states;
}

type Reached = {
  readonly done: ReadonlySet<string>;
  /** Steps whose messages can have been published: of alternatives only the chosen one, once it is known. */
  readonly possible: ReadonlySet<string>;
};

function reachedOn(path: readonly Named[], { state, network }: RunEvidence): Reached {
  const published = new Set<string>();
  const [done, possible] = [new Set<string>(), new Set<string>()];
  const networkIndex = network === undefined ? -1 : path.findIndex(([name]) => name === networkStepOf(path)?.[0]);
  const replyTypes = network === undefined || network.isOpen ? undefined : network.replyTypes;
  const isDone = (index: number): boolean =>
    state === 'SUCCEEDED' || index === 0 || index < networkIndex || (index === networkIndex && replyTypes !== undefined);
  path.forEach(([name, step], index) => {
    if (index > 0 && !awaitedBy(step).every(({ type }) => published.has(type))) return;
    possible.add(name);
    if (isDone(index)) done.add(name);
    const known = index === networkIndex ? replyTypes : undefined;
    for (const { type } of publishedBy(step).filter((each) => known?.includes(each.type) ?? true)) published.add(type);
  });
  return { done, possible };
}

type Failed = { readonly failed: Named; readonly evidence: RunEvidence };

function statesAfterFailure(saga: Saga, path: readonly Named[], { failed, evidence }: Failed): States {
  const isOver = evidence.state === 'FAILED';
  const states = new Map<string, StepState>(Object.keys(saga.steps).map((name) => [name, isOver ? 'skipped' : 'pending']));
  const compensated = new Set(Object.values(saga.steps).map(({ compensates }) => compensates));
  const index = path.findIndex(([name]) => name === failed[0]);
  for (const [name] of path.slice(0, index)) states.set(name, undoneState(compensated.has(name), isOver));
  for (const [name] of path.slice(index + 1)) states.set(name, 'skipped');
  states.set(failed[0], 'failed');
  followFailure(saga, states, { failed, evidence });
  return states;
}

function undoneState(isCompensated: boolean, isOver: boolean): StepState {
  if (!isCompensated) return 'done';
  return isOver ? 'compensated' : 'compensating';
}

/** The steps that follow from the failure: all are done if the run is over, else the first one is current. */
function followFailure({ steps }: Saga, states: Map<string, StepState>, { failed, evidence }: Failed): void {
  const isOver = evidence.state === 'FAILED';
  const published = failuresOf(steps, states, { failed, evidence });
  let next: StepState = isOver ? 'done' : 'current';
  for (const [name, step] of Object.entries(steps)) {
    const isOpen = states.get(name) === 'skipped' || states.get(name) === 'pending';
    if (!isOpen || !follows(step, published)) continue;
    states.set(name, next);
    if (!isOver) next = 'pending';
    for (const { type } of step.publishes) published.add(type);
  }
}

function follows(step: SagaStep, published: ReadonlySet<string>): boolean {
  const awaited = awaitedBy(step);
  return step.aborts === undefined && awaited.length > 0 && awaited.every(({ type }) => published.has(type));
}

/** The types of the messages about the failure. After an abort they come from the steps that have aborted the run. */
function failuresOf(
  steps: Saga['steps'],
  states: Map<string, StepState>,
  { failed: [name, step], evidence }: Failed,
): Set<string> {
  if (evidence.network === undefined && !evidence.isRefused) {
    const aborting = Object.entries(steps).filter(([, each]) => isAbortOf(each, name));
    for (const [each] of aborting) states.set(each, 'done');
    return new Set(aborting.flatMap(([, each]) => publishedBy(each)).map(({ type }) => type));
  }
  const replied = evidence.network?.replyTypes ?? [];
  const types = (step.orElse ?? []).map(({ type }) => type);
  return new Set(types.filter((type) => replied.length === 0 || replied.includes(type)));
}

function isAbortOf({ aborts, afterDeadlineOf }: SagaStep, name: string): boolean {
  return aborts === name || afterDeadlineOf === name;
}
