import type { NetworkIntentView, TimelineRun, TimelineStep } from '@holdfast/contracts/http';
import { allSagas, type Saga, type SagaStep } from '@holdfast/contracts/sagas';
import type { Instant } from '@holdfast/kernel/context';
import { errorCatalogue } from '@holdfast/kernel/errors';
import type { RunOfOrder } from './ports.js';
import { mainPathOf, networkStepOf, stepStates, type RunEvidence } from './step-states.js';

type Reason = TimelineRun['reason'];

const sagas: ReadonlyMap<string, Saga> = new Map(allSagas.map((saga) => [saga.name, saga]));

/** A run with all steps that its saga declares. A sequence of sagas has no steps of its own: each of its sagas is a run. */
export function describeRun(run: RunOfOrder, intent: NetworkIntentView | undefined): TimelineRun {
  const { id: runId, saga: name, begunAt, closedAt, attempts, nextRetryAt } = run;
  const saga = sagas.get(name);
  const shared = { attempts, nextRetryAt: closedAt === null ? nextRetryAt : null, reason: reasonOf(run) };
  const described = { runId, saga: name, state: stateOf(run), startedAt: begunAt, endedAt: closedAt, ...shared };
  return { ...described, steps: saga === undefined ? [] : stepsOf(saga, run, intent) };
}

function stateOf({ outcome }: RunOfOrder): TimelineRun['state'] {
  if (outcome === null) return 'RUNNING';
  return outcome.status === 'succeeded' ? 'SUCCEEDED' : 'FAILED';
}

function reasonOf({ outcome, retryStoppedReason }: RunOfOrder): Reason {
  if (outcome?.status === 'failed') return { code: outcome.code, message: errorCatalogue[outcome.code].message };
  return retryStoppedReason === null ? null : { code: null, message: retryStoppedReason };
}

const clientErrorsUntil = 500;

function evidenceOf(run: RunOfOrder, intent: NetworkIntentView | undefined): RunEvidence {
  const { outcome } = run;
  const isRefused = outcome?.status === 'failed' && errorCatalogue[outcome.code].status < clientErrorsUntil;
  const network = intent === undefined ? undefined : { isOpen: intent.endedAt === null, replyTypes: intent.replyTypes };
  return { state: stateOf(run), network, isRefused };
}

function stepsOf(saga: Saga, run: RunOfOrder, intent: NetworkIntentView | undefined): TimelineStep[] {
  const states = stepStates(saga, evidenceOf(run, intent));
  const path = mainPathOf(saga);
  const onMainPath = new Set(path.map(([name]) => name));
  const networkStep = networkStepOf(path)?.[0];
  return Object.entries(saga.steps).map(([step, declared]) => {
    const state = states.get(step) ?? 'pending';
    const ofIntent = step === networkStep ? intent : undefined;
    return {
      step,
      by: declared.by,
      does: declared.does,
      compensates: declared.compensates ?? null,
      isOnMainPath: onMainPath.has(step),
      state,
      at: timeOf({ state, isFirst: step === path[0]?.[0], declared }, run, ofIntent),
      ...retriesOf(state, run, ofIntent),
    };
  });
}

type Timed = { readonly state: TimelineStep['state']; readonly isFirst: boolean; readonly declared: SagaStep };

/** The first step begins the run, the last one ends it, and the intent has the times of its step. The others leave no time. */
function timeOf({ state, isFirst, declared }: Timed, run: RunOfOrder, intent: NetworkIntentView | undefined): Instant | null {
  if (state === 'pending' || state === 'skipped') return null;
  if (isFirst) return run.begunAt;
  if (intent !== undefined) return intentTimeOf(intent);
  return declared.ends !== undefined || state === 'failed' ? run.closedAt : null;
}

function intentTimeOf({ startedAt, endedAt }: NetworkIntentView): Instant {
  // eslint-disable-next-line holdfast/no-type-assertion -- the response has the text of an instant
  return (endedAt ?? startedAt) as Instant;
}

/** The step that a run waits for is tried again by its intent, or by sending the command of the run again. */
function retriesOf(state: TimelineStep['state'], run: RunOfOrder, intent: NetworkIntentView | undefined) {
  const { attempts, nextRetryAt } = intent ?? run;
  if (state === 'current') return { attempts, nextRetryAt, reason: reasonOf(run) };
  return { attempts: intent?.attempts ?? 0, nextRetryAt: null, reason: state === 'failed' ? reasonOf(run) : null };
}
