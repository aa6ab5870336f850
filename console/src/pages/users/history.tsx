import type { BalanceTransaction } from '@holdfast/sdk';
import { useFilters } from '../../data/use-filters.js';
import { useListPage } from '../../data/use-read.js';
import type { Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { IdLink } from '../../ui/id-link.js';
import { Money } from '../../ui/money.js';
import { PagedTable } from '../../ui/paged-table.js';
import { Section } from '../../ui/section.js';
import { wordsOf } from '../../ui/status-words.js';
import { Time } from '../../ui/time.js';

/** Every change of the balances, newest first, with the balance after it. */
export function History({ userId }: { readonly userId: string }) {
  const { page, cursor, turnTo } = useFilters([]);
  const query = useListPage(['balances.listTransactions', userId, page], (api) => api.balances.listTransactions(userId, page));
  return (
    <Section title="History" isFlush>
      <PagedTable
        label="Changes of the balance"
        columns={columns}
        query={query}
        keyOf={({ id, currency }) => `${id} ${currency}`}
        cursor={cursor}
        turnTo={turnTo}
        empty={
          <EmptyState title="Nothing has happened yet">
            Each credit, debit, reservation and payment will be a line here.
          </EmptyState>
        }
      />
    </Section>
  );
}

const columns: readonly Column<BalanceTransaction>[] = [
  { header: 'At', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    header: 'What',
    cell: ({ type, description }) => (
      <>
        {wordsOf(type)}
        <div className="hf-dimmed hf-clip">{description}</div>
      </>
    ),
  },
  { header: 'Order', cell: ({ orderId }) => (orderId === null ? '—' : <IdLink id={orderId} />), isMinor: true },
  {
    header: 'Available',
    cell: ({ availableChange, availableAfter, currency }) => (
      <Running {...{ change: availableChange, after: availableAfter, currency }} />
    ),
    isNumeric: true,
  },
  {
    header: 'Reserved',
    cell: ({ reservedChange, reservedAfter, currency }) => (
      <Running {...{ change: reservedChange, after: reservedAfter, currency }} />
    ),
    isNumeric: true,
    isMinor: true,
  },
];

type RunningProps = { readonly change: string; readonly after: string; readonly currency: string };

/** The change, and the balance after it. */
function Running({ change, after, currency }: RunningProps) {
  return (
    <>
      <Money amount={change} isSigned />
      <div className="hf-dimmed">
        <Money amount={after} currency={currency} />
      </div>
    </>
  );
}
