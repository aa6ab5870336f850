import { useListPage } from '../../data/use-read.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ErrorBox } from '../../ui/error-box.js';
import { orderColumns } from '../orders/order-columns.js';

const shownMax = 8;

export function NewestOrders() {
  const { data, error, refetch } = useListPage(['orders.list', { limit: shownMax }], (api) =>
    api.orders.list({ limit: shownMax }),
  );
  if (error !== null && data === undefined) return <ErrorBox error={error} onRetry={refetch} />;
  return (
    <DataTable
      label="Newest orders"
      columns={orderColumns}
      rows={data?.records}
      keyOf={({ id }) => id}
      skeletonRows={shownMax}
      empty={
        <EmptyState title="No orders yet">
          Create the first one with <code>POST /api/v1/orders</code>, or with <code>npm run demo</code>.
        </EmptyState>
      }
    />
  );
}
