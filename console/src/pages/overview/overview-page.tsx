import { ListPage } from '../../ui/list-page.js';
import { NewestOrders } from './newest-orders.js';

export function OverviewPage() {
  return (
    <ListPage title="Overview">
      <NewestOrders />
    </ListPage>
  );
}
