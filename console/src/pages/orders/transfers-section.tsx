import type { OrderTransfer } from '@holdfast/sdk';
import { useListPage } from '../../data/use-read.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ErrorBox } from '../../ui/error-box.js';
import { IdLink } from '../../ui/id-link.js';
import { Money } from '../../ui/money.js';
import { Section } from '../../ui/section.js';
import { wordsOf } from '../../ui/status-words.js';
import { Time } from '../../ui/time.js';
import { AccountName } from './account-name.js';

const transfersMax = 100;

/** What the journal has booked for the order: each transfer with its legs, which add up to zero. */
export function TransfersSection({ orderId }: { readonly orderId: string }) {
  const { data, error, refetch } = useListPage(['orders.listTransfers', orderId], (api) =>
    api.orders.listTransfers(orderId, { limit: transfersMax }),
  );
  return (
    <Section title="Money movement" isFlush>
      {error === null ? null : <ErrorBox error={error} onRetry={refetch} />}
      {error !== null && data === undefined ? null : (
        <DataTable
          label="Transfers of the order"
          columns={columns}
          rows={data?.records}
          keyOf={({ id }) => id}
          skeletonRows={3}
          empty={<EmptyState title="No money has moved">Reserve the funds of the buyer to begin.</EmptyState>}
        />
      )}
    </Section>
  );
}

const columns: readonly Column<OrderTransfer>[] = [
  {
    header: 'Transfer',
    cell: ({ id, type, milestoneRef }) => (
      <>
        {wordsOf(type)}
        {milestoneRef === null ? null : <code> {milestoneRef}</code>}
        <div className="hf-dimmed">
          <IdLink id={id} />
        </div>
      </>
    ),
  },
  { header: 'Legs', cell: ({ legs }) => <Legs legs={legs} /> },
  { header: 'Booked', cell: ({ createdAt }) => <Time at={createdAt} />, isMinor: true },
];

function Legs({ legs }: Pick<OrderTransfer, 'legs'>) {
  return (
    <ul className="hf-legs">
      {legs.map(({ account, amount, currency }) => (
        <li key={`${account} ${currency}`}>
          <AccountName account={account} />
          <Money amount={amount} currency={currency} isSigned />
        </li>
      ))}
    </ul>
  );
}
