import type { OrderTimeline } from '@holdfast/sdk';
import { IdLink } from '../../ui/id-link.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { wordsOf } from '../../ui/status-words.js';
import { RelativeTime, Time } from '../../ui/time.js';

type Run = OrderTimeline['runs'][number];
type Step = Run['steps'][number];

/** A saga with all of its steps: which are done, which one it waits for, what is undone. */
export function SagaRun({ run, isOpen }: { readonly run: Run; readonly isOpen: boolean }) {
  const { saga, state, runId, startedAt, steps } = run;
  return (
    <details className="hf-run" open={isOpen}>
      <summary>
        <strong>{wordsOf(saga)}</strong> <StatusBadge status={state} />
        <span className="hf-dimmed">
          <Time at={startedAt} />
        </span>
      </summary>
      <div className="hf-run-body">
        <Retries of={run} />
        <ol className="hf-steps">
          {steps.filter(isShown).map((step) => (
            <StepItem key={step.step} step={step} />
          ))}
        </ol>
        <p className="hf-hint">
          Run <IdLink id={runId} />
        </p>
      </div>
    </details>
  );
}

/** Steps of other paths are shown once they have begun. */
function isShown({ isOnMainPath, state }: Step): boolean {
  return isOnMainPath || (state !== 'pending' && state !== 'skipped');
}

function StepItem({ step }: { readonly step: Step }) {
  const { step: name, by, does, state, at, compensates } = step;
  return (
    <li className={`hf-step hf-step-${state}`}>
      <div className="hf-step-head">
        <span className="hf-step-mark" aria-hidden="true" />
        <span className="hf-step-name">
          {wordsOf(name)} <span className="hf-dimmed">{does}</span>
          {compensates === null ? null : <span className="hf-compensates"> undoes {wordsOf(compensates).toLowerCase()}</span>}
        </span>
        <span className="hf-step-state">{wordsOf(state)}</span>
      </div>
      <p className="hf-hint">
        {by}
        {at === null ? null : (
          <>
            {' · '}
            <Time at={at} />
          </>
        )}
      </p>
      <Retries of={step} />
    </li>
  );
}

type Retried = Pick<Step, 'attempts' | 'nextRetryAt' | 'reason'>;

function Retries({ of: { attempts, nextRetryAt, reason } }: { readonly of: Retried }) {
  if (attempts === 0 && nextRetryAt === null && reason === null) return null;
  return (
    <p className="hf-retries">
      {attempts === 0 ? null : <span>Tried again {attempts === 1 ? 'once' : `${attempts} times`}</span>}
      {nextRetryAt === null ? null : (
        <span>
          next try <RelativeTime at={nextRetryAt} />
        </span>
      )}
      {reason === null ? null : (
        <span>
          <strong>{reason.code}</strong> {reason.message}
        </span>
      )}
    </p>
  );
}
