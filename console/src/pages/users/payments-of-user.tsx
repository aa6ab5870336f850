import { Link } from 'wouter';
import type { TopUp, Withdrawal } from '@holdfast/sdk';
import { useListPage } from '../../data/use-read.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { IdLink } from '../../ui/id-link.js';
import { Money } from '../../ui/money.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { RelativeTime } from '../../ui/time.js';

const shownMax = 20;

/** The newest top-ups and withdrawals of the user. */
export function PaymentsOfUser({ userId }: { readonly userId: string }) {
  const input = { userId, limit: shownMax };
  const topups = useListPage(['topups.list', input], (api) => api.topups.list(input));
  const withdrawals = useListPage(['withdrawals.list', input], (api) => api.withdrawals.list(input));
  const columns: readonly Column<TopUp | Withdrawal>[] = [
    { header: 'Id', cell: ({ id }) => <IdLink id={id} /> },
    { header: 'Amount', cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />, isNumeric: true },
    { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    { header: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} />, isMinor: true },
  ];
  return (
    <>
      <Section title="Top-ups" isFlush actions={<Link href={`/money?userId=${userId}`}>All of them</Link>}>
        <QueryView query={topups} lines={3}>
          {({ records }) => (
            <DataTable
              label="Top-ups"
              columns={columns}
              rows={records}
              keyOf={({ id }) => id}
              empty={<EmptyState title="No top-ups">A top-up brings money of the user into the balance.</EmptyState>}
            />
          )}
        </QueryView>
      </Section>
      <Section title="Withdrawals" isFlush actions={<Link href={`/money/withdrawals?userId=${userId}`}>All of them</Link>}>
        <QueryView query={withdrawals} lines={3}>
          {({ records }) => (
            <DataTable
              label="Withdrawals"
              columns={columns}
              rows={records}
              keyOf={({ id }) => id}
              empty={
                <EmptyState title="No withdrawals">
                  A withdrawal pays the balance out to a bank or to the ledger network.
                </EmptyState>
              }
            />
          )}
        </QueryView>
      </Section>
    </>
  );
}
