import type { ReactNode } from 'react';
import type { OrderTimeline } from '@holdfast/sdk';
import { EmptyState } from '../../ui/empty-state.js';
import { IdLink } from '../../ui/id-link.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { reasonText, wordsOf } from '../../ui/status-words.js';
import { RelativeTime, Time } from '../../ui/time.js';

type Entry = OrderTimeline['entries'][number];

/** Newest first; what is due comes before what has happened. Steps are shown with their saga. */
export function TimelineEntries({ entries }: { readonly entries: readonly Entry[] }) {
  const shown = entries.filter(({ kind }) => kind !== 'saga_step').toReversed();
  if (shown.length === 0) return <EmptyState title="Nothing yet">What happens to the order appears here.</EmptyState>;
  return (
    <ol className="hf-timeline">
      {shown.map((entry) => (
        <li key={keyOf(entry)} className={`hf-entry hf-entry-${entry.kind}`}>
          <span className="hf-entry-kind">{kinds[entry.kind]}</span>
          <span className="hf-entry-text">{textOf(entry)}</span>
          <span className="hf-dimmed">
            <Time at={entry.at} />
          </span>
        </li>
      ))}
    </ol>
  );
}

const kinds: Readonly<Record<Entry['kind'], string>> = {
  event: 'Event',
  audit: 'Audit',
  saga_step: 'Step',
  network_transaction: 'Network',
  timer: 'Due',
};

function keyOf(entry: Entry): string {
  switch (entry.kind) {
    case 'event':
      return entry.eventId;
    case 'audit':
      return entry.auditId;
    case 'saga_step':
      return `${entry.runId} ${entry.step}`;
    case 'network_transaction':
      return `${entry.hash} ${entry.at}`;
    case 'timer':
      return `${entry.timer} ${entry.milestoneRef ?? ''} ${entry.disputeId ?? ''} ${entry.at}`;
  }
}

function textOf(entry: Entry): ReactNode {
  switch (entry.kind) {
    case 'event':
      return <IdLink id={entry.eventId} label={entry.eventType} />;
    case 'audit':
      return <AuditText entry={entry} />;
    case 'saga_step':
      return wordsOf(entry.step);
    case 'network_transaction':
      return <TransactionText entry={entry} />;
    case 'timer':
      return <TimerText entry={entry} />;
  }
}

type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

function AuditText({ entry: { action, actorType, actorId, result, reason } }: { readonly entry: EntryOf<'audit'> }) {
  return (
    <>
      {wordsOf(action)} by {actorType === 'api_key' ? <IdLink id={actorId} /> : wordsOf(actorType).toLowerCase()}
      {result === 'SUCCESS' ? null : <StatusBadge status={result} />}
      {reason === null ? null : <span className="hf-dimmed hf-prose"> {reasonText(reason)}</span>}
    </>
  );
}

/** `release:0` as `Release of milestone 1`: the provider counts milestones from zero. */
function operationText(operation: string): string {
  const [name = '', index] = operation.split(':');
  return index === undefined ? wordsOf(name) : `${wordsOf(name)} of milestone ${Number(index) + 1}`;
}

function TransactionText({ entry: { operation, state, hash, ledger } }: { readonly entry: EntryOf<'network_transaction'> }) {
  return (
    <>
      {operationText(operation)} <StatusBadge status={state} /> <IdLink id={hash} />
      {ledger === null ? null : <span className="hf-dimmed"> ledger {ledger}</span>}
    </>
  );
}

function TimerText({
  entry: { timer, milestoneRef, disputeId, at, heldReason, attempts },
}: {
  readonly entry: EntryOf<'timer'>;
}) {
  return (
    <>
      {wordsOf(timer)} <RelativeTime at={at} />
      {milestoneRef === null ? null : <code> {milestoneRef}</code>}
      {disputeId === null ? null : <IdLink id={disputeId} />}
      {heldReason === null ? null : <StatusBadge status={heldReason} tone="warning" />}
      {attempts === 0 ? null : <span className="hf-dimmed"> tried {attempts === 1 ? 'once' : `${attempts} times`}</span>}
    </>
  );
}
