import { Link } from 'wouter';
import { useListPage } from '../../data/use-read.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { orderColumns } from '../orders/order-columns.js';

const shownMax = 20;

/** The newest orders of the user in each role; the list of orders has all of them. */
export function OrdersOfUser({ userId }: { readonly userId: string }) {
  return (
    <>
      <OrdersInRole title="As buyer" filter={{ buyerId: userId }} />
      <OrdersInRole title="As seller" filter={{ sellerId: userId }} />
    </>
  );
}

type Role = { readonly buyerId: string } | { readonly sellerId: string };

function OrdersInRole({ title, filter }: { readonly title: string; readonly filter: Role }) {
  const input = { ...filter, limit: shownMax };
  const query = useListPage(['orders.list', input], (api) => api.orders.list(input));
  const all = `/orders?${new URLSearchParams(filter).toString()}`;
  return (
    <Section title={title} isFlush actions={<Link href={all}>All of them</Link>}>
      <QueryView query={query} lines={3}>
        {({ records }) => (
          <DataTable
            label={`Orders ${title.toLowerCase()}`}
            columns={orderColumns}
            rows={records}
            keyOf={({ id }) => id}
            empty={<EmptyState title="No orders">They appear here as soon as one names this user.</EmptyState>}
          />
        )}
      </QueryView>
    </Section>
  );
}
