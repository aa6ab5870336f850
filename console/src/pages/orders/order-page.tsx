import type { Order } from '@holdfast/sdk';
import { useRead } from '../../data/use-read.js';
import type { PageProps } from '../../page-props.js';
import { ObjectPage } from '../../ui/object-page.js';
import { QueryView } from '../../ui/query-view.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { MilestonesSection } from './milestones-section.js';
import { OrderActions } from './order-actions.js';
import { OrderFacts } from './order-facts.js';
import { TimelineSections } from './timeline-section.js';
import { TransfersSection } from './transfers-section.js';

export function OrderPage({ params: { id = '' } }: PageProps) {
  const query = useRead(['orders.get', id], (api) => api.orders.get(id));
  return (
    <QueryView query={query} lines={14}>
      {(order) => <OrderView order={order} />}
    </QueryView>
  );
}

function OrderView({ order }: { readonly order: Order }) {
  const { id, title, status, closeReason, operation, milestones } = order;
  return (
    <ObjectPage
      kind="Order"
      id={id}
      title={title === '' ? 'Order' : title}
      badge={
        <>
          <StatusBadge status={status} />
          {closeReason === null ? null : <StatusBadge status={closeReason} tone="quiet" />}
          {operation === null ? null : <StatusBadge status={`${operation.name} …`} tone="busy" />}
        </>
      }
      actions={<OrderActions order={order} />}
      request={{ operation: 'orders.get', params: [id] }}
    >
      <div className="hf-columns">
        <div className="hf-column">
          {milestones.length === 0 ? null : <MilestonesSection order={order} />}
          <TransfersSection orderId={id} />
          <TimelineSections order={order} />
        </div>
        <OrderFacts order={order} />
      </div>
    </ObjectPage>
  );
}
