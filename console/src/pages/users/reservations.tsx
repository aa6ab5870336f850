import type { Reservation } from '@holdfast/sdk';
import { useListPage } from '../../data/use-read.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { IdLink } from '../../ui/id-link.js';
import { Money } from '../../ui/money.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { wordsOf } from '../../ui/status-words.js';
import { Time } from '../../ui/time.js';

const shownMax = 100;

/** What is set aside, and for what. */
export function Reservations({ userId }: { readonly userId: string }) {
  const query = useListPage(['balances.listReservations', userId], (api) =>
    api.balances.listReservations(userId, { limit: shownMax }),
  );
  return (
    <Section title="Reservations" isFlush>
      <QueryView query={query} lines={2}>
        {({ records }) => (
          <DataTable
            label="Reservations"
            columns={columns}
            rows={records}
            keyOf={({ id }) => id}
            empty={
              <EmptyState title="Nothing is reserved">
                Orders and withdrawals set funds aside until they are paid or canceled.
              </EmptyState>
            }
          />
        )}
      </QueryView>
    </Section>
  );
}

const columns: readonly Column<Reservation>[] = [
  { header: 'Reservation', cell: ({ id }) => <IdLink id={id} />, isMinor: true },
  { header: 'For', cell: ({ kind, orderId }) => (orderId === null ? wordsOf(kind) : <IdLink id={orderId} />) },
  { header: 'Amount', cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />, isNumeric: true },
  { header: 'Since', cell: ({ createdAt }) => <Time at={createdAt} />, isMinor: true },
];
