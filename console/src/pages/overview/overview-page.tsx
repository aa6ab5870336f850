import { useRead } from '../../data/use-read.js';
import { useMay } from '../../session/session-context.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { RelativeTime, Time } from '../../ui/time.js';
import { attentionFigures, moneyFigures } from './figures.js';
import { FigureCards } from './figure-cards.js';
import { NewestOrders } from './newest-orders.js';
import { OrdersByStatus } from './orders-by-status.js';
import { Solvency } from './solvency.js';
import { Volume } from './volume.js';

export function OverviewPage() {
  const query = useRead(['summary.get'], (api) => api.summary.get());
  const isMaster = useMay('master');
  return (
    <>
      <title>Overview · Holdfast</title>
      <header className="hf-page-header">
        <h1>Overview</h1>
        {query.data === undefined ? null : (
          <p className="hf-hint">
            Counted <RelativeTime at={query.data.asOf} />
          </p>
        )}
      </header>
      <div className="hf-page-parts">
        <QueryView query={query} lines={12}>
          {(summary) => (
            <>
              <CountedSince at={summary.countedSince} />
              <FigureCards figures={[...moneyFigures(summary), ...attentionFigures(summary)]} />
              {isMaster ? <Solvency /> : null}
              <div className="hf-columns">
                <Volume summary={summary} />
                <OrdersByStatus counts={summary.orders} />
              </div>
            </>
          )}
        </QueryView>
        <Section title="Newest orders" isFlush>
          <NewestOrders />
        </Section>
      </div>
    </>
  );
}

/** Only where the history was cut before the platform began to count. */
function CountedSince({ at }: { readonly at: string | null }) {
  if (at === null) return null;
  return (
    <p className="hf-notice" role="status">
      Older events had left the history when this platform began to count. Money, disputes and volume are counted from{' '}
      <Time at={at} /> on: the amounts below are what has changed since then, not totals. Orders by state and the balance of each
      user are complete.
    </p>
  );
}
