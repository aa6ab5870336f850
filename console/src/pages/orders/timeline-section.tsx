import type { Order, OrderTimeline } from '@holdfast/sdk';
import { useRead } from '../../data/use-read.js';
import { EmptyState } from '../../ui/empty-state.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { isBusy } from './allowed-actions.js';
import { SagaRun } from './saga-run.js';
import { TimelineEntries } from './timeline-entries.js';

/** Retries do not publish events, so a timeline is read again while something is carried out. */
const everyMs = 6_000;

/** What has happened to the order and what is due, and each saga step by step. */
export function TimelineSections({ order }: { readonly order: Order }) {
  const query = useRead(['orders.getTimeline', order.id], (api) => api.orders.getTimeline(order.id), {
    everyMs: isBusy(order) ? everyMs : undefined,
  });
  return (
    <>
      <Section title="Sagas" isFlush>
        <QueryView query={query} lines={4}>
          {(timeline) => <Runs timeline={timeline} />}
        </QueryView>
      </Section>
      <Section title="Timeline" isFlush>
        <QueryView query={query} lines={6}>
          {({ entries, isTruncated, unavailable }) => (
            <>
              {unavailable.length === 0 ? null : (
                <p className="hf-notice hf-inset">Not readable just now: {unavailable.join(', ')}. The rest is complete.</p>
              )}
              <TimelineEntries entries={entries} />
              {isTruncated ? (
                <p className="hf-hint hf-inset">Older entries are left out. The audit trail and the events have them.</p>
              ) : null}
            </>
          )}
        </QueryView>
      </Section>
    </>
  );
}

/** The newest first: that is the one that may be running. */
function Runs({ timeline: { runs } }: { readonly timeline: OrderTimeline }) {
  if (runs.length === 0)
    return (
      <EmptyState title="No saga has run yet">The first action on the order starts one. Runs are kept for 30 days.</EmptyState>
    );
  return runs
    .toReversed()
    .map((run, index) => <SagaRun key={run.runId} run={run} isOpen={index === 0 || run.state !== 'SUCCEEDED'} />);
}
