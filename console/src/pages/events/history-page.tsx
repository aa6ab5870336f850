import type { EventsListInput } from '@holdfast/sdk';
import { useFilters } from '../../data/use-filters.js';
import { useListPage } from '../../data/use-read.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChoice, FilterText } from '../../ui/filter-fields.js';
import { ListPage } from '../../ui/list-page.js';
import { PagedTable } from '../../ui/paged-table.js';
import { eventFamilies, familiesIn } from '../developers/event-families.js';
import { eventColumns } from './event-columns.js';
import { EventsTabs } from './events-tabs.js';

/** The event log, oldest first, as far as the history goes back. */
export function HistoryPage() {
  const { values, page, cursor, set, turnTo } = useFilters(['types', 'aggregateId', 'after']);
  const [family] = familiesIn([values.types ?? '']);
  const input: EventsListInput = {
    ...page,
    ...(family === undefined ? {} : { types: [family] }),
    ...(values.aggregateId === undefined ? {} : { aggregateId: values.aggregateId }),
    ...(values.after === undefined ? {} : { after: values.after }),
  };
  const query = useListPage(['events.list', input], (api) => api.events.list(input));
  return (
    <ListPage
      title="Events"
      tabs={<EventsTabs />}
      filters={
        <>
          <FilterChoice
            label="Types"
            value={family}
            choices={eventFamilies}
            wordsFor={(choice) => choice}
            onChange={(types) => set({ types })}
          />
          <FilterText
            label="About"
            value={values.aggregateId}
            placeholder="ord_…"
            onChange={(aggregateId) => set({ aggregateId })}
          />
          <FilterText label="After the event" value={values.after} placeholder="evt_…" onChange={(after) => set({ after })} />
        </>
      }
    >
      <PagedTable
        label="Events of the history"
        columns={eventColumns}
        query={query}
        keyOf={({ eventId }) => eventId}
        cursor={cursor}
        turnTo={turnTo}
        skeletonRows={12}
        empty={<EmptyState title="No events">Change the filters. What is older than the history is gone.</EmptyState>}
      />
    </ListPage>
  );
}
