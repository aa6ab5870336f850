import { choiceOf, useFilters } from '../../data/use-filters.js';
import { useListPage } from '../../data/use-read.js';
import { orderStatuses } from '../../generated/states.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChoice, FilterText } from '../../ui/filter-fields.js';
import { ListPage } from '../../ui/list-page.js';
import { PagedTable } from '../../ui/paged-table.js';
import { orderColumns } from './order-columns.js';

export function OrdersPage() {
  const { values, page, cursor, set, turnTo } = useFilters(['status', 'buyerId', 'sellerId']);
  const { status: given, ...parties } = values;
  const status = choiceOf(orderStatuses, given);
  const input = { ...parties, ...page, ...(status === undefined ? {} : { status }) };
  const query = useListPage(['orders.list', input], (api) => api.orders.list(input));
  return (
    <ListPage
      title="Orders"
      filters={
        <>
          <FilterChoice label="Status" value={status} choices={orderStatuses} onChange={(next) => set({ status: next })} />
          <FilterText label="Buyer" value={values.buyerId} placeholder="usr_…" onChange={(buyerId) => set({ buyerId })} />
          <FilterText label="Seller" value={values.sellerId} placeholder="usr_…" onChange={(sellerId) => set({ sellerId })} />
        </>
      }
    >
      <PagedTable
        label="Orders"
        columns={orderColumns}
        query={query}
        keyOf={({ id }) => id}
        cursor={cursor}
        turnTo={turnTo}
        skeletonRows={12}
        empty={<EmptyState title="No orders">Change the filters, or create one.</EmptyState>}
      />
    </ListPage>
  );
}
