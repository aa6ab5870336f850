import { useLocation } from 'wouter';
import { choiceOf, useFilters } from '../../data/use-filters.js';
import { useListPage } from '../../data/use-read.js';
import { orderStatuses } from '../../generated/states.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChoice, FilterText } from '../../ui/filter-fields.js';
import { ListPage } from '../../ui/list-page.js';
import { PagedTable } from '../../ui/paged-table.js';
import { pathOfId } from '../../ui/paths.js';
import { orderColumns } from './order-columns.js';

export function OrdersPage() {
  const { values, page, cursor, set, turnTo } = useFilters(['status', 'clientOrderRef', 'buyerId', 'sellerId']);
  const { status: given, ...texts } = values;
  const status = choiceOf(orderStatuses, given);
  const input = { ...texts, ...page, ...(status === undefined ? {} : { status }) };
  const query = useListPage(['orders.list', input], (api) => api.orders.list(input));
  return (
    <ListPage
      title="Orders"
      filters={
        <>
          <Search reference={values.clientOrderRef} onReference={(clientOrderRef) => set({ clientOrderRef })} />
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
        empty={<NoOrders isFiltered={Object.keys(values).length > 0} />}
      />
    </ListPage>
  );
}

type SearchProps = { readonly reference: string | undefined; readonly onReference: (reference: string) => void };

/** An id leads to its page; any other text is the marketplace's own reference of an order. */
function Search({ reference, onReference }: SearchProps) {
  const [, navigate] = useLocation();
  const find = (text: string): void => {
    const path = pathOfId(text);
    if (path === undefined) onReference(text);
    else navigate(path);
  };
  return (
    <div className="hf-wide">
      <FilterText
        label="Any id, or your reference"
        value={reference}
        placeholder="ord_…, usr_…, dsp_…, cart-1042"
        onChange={find}
      />
    </div>
  );
}

function NoOrders({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No order matches">Clear a filter: all of them must match exactly.</EmptyState>;
  return (
    <EmptyState title="No orders yet">
      Create one with <code>POST /api/v1/orders</code>, as the <a href="/docs/guides/quick-start">quick start</a> shows, or let{' '}
      <code>npm run demo</code> create some.
    </EmptyState>
  );
}
