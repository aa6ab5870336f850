import type { Balance } from '@holdfast/sdk';
import { useListPage } from '../../data/use-read.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Money } from '../../ui/money.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { RelativeTime } from '../../ui/time.js';

/** One balance per currency. */
export function Balances({ userId }: { readonly userId: string }) {
  const query = useListPage(['balances.list', userId], (api) => api.balances.list(userId));
  return (
    <Section title="Balances" isFlush>
      <QueryView query={query} lines={2}>
        {({ records }) => (
          <DataTable
            label="Balances"
            columns={columns}
            rows={records}
            keyOf={({ currency }) => currency}
            empty={<EmptyState title="No balance yet">A top-up, a deposit or a credit makes the first one.</EmptyState>}
          />
        )}
      </QueryView>
    </Section>
  );
}

const columns: readonly Column<Balance>[] = [
  { header: 'Currency', cell: ({ currency }) => currency },
  { header: 'Available', cell: ({ available }) => <Money amount={available} />, isNumeric: true },
  { header: 'Reserved', cell: ({ reserved }) => <Money amount={reserved} />, isNumeric: true },
  { header: 'Total', cell: ({ total }) => <Money amount={total} />, isNumeric: true },
  { header: 'Changed', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />, isMinor: true },
];
