import { EmptyState } from '../../ui/empty-state.js';
import { ListPage } from '../../ui/list-page.js';
import { MoneyTabs } from './money-tabs.js';

/** Instead of a page about the whole platform. */
export function MasterOnly() {
  return (
    <ListPage title="Money" tabs={<MoneyTabs />}>
      <EmptyState title="For the master key only">
        Reports, proof and treasury are about the whole platform. Sign out, and sign in with the master key to see them.
      </EmptyState>
    </ListPage>
  );
}
