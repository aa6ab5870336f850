import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { nowMs } from '../../clock.js';
import { instantOf } from '../../data/instant-of.js';
import { useFilters } from '../../data/use-filters.js';
import { DataTable } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ErrorBox } from '../../ui/error-box.js';
import { FilterText } from '../../ui/filter-fields.js';
import { ListPage } from '../../ui/list-page.js';
import { eventColumns } from './event-columns.js';
import { fits } from './event-filter.js';
import { EventsTabs } from './events-tabs.js';
import { useEventTail } from './use-event-tail.js';

const hourMs = 3_600_000;

/** What happens now, and what has happened since a time. */
export function EventsPage() {
  const { values, set } = useFilters(['type', 'about', 'from']);
  const [anHourAgo] = useState(() => new Date(nowMs() - hourMs).toISOString());
  const { events, error, isReplaying } = useEventTail(instantOf(values.from ?? '') ?? anHourAgo);
  const shown = events.filter((event) => fits(event, { type: values.type, aggregateId: values.about }));
  return (
    <ListPage
      title="Events"
      tabs={<EventsTabs />}
      filters={
        <>
          <FilterText label="Type" value={values.type} placeholder="order.*" onChange={(type) => set({ type })} />
          <FilterText label="About" value={values.about} placeholder="ord_…" onChange={(about) => set({ about })} />
          <TextInput
            type="datetime-local"
            step={1}
            label="Replay from"
            value={values.from ?? ''}
            onChange={(event) => set({ from: event.currentTarget.value })}
          />
        </>
      }
    >
      {error === null ? null : <ErrorBox error={error} />}
      <DataTable
        label="Events"
        columns={eventColumns}
        rows={isReplaying && shown.length === 0 ? undefined : shown}
        keyOf={({ eventId }) => eventId}
        skeletonRows={12}
        empty={
          <EmptyState title="No events yet">
            They appear here as they happen. Create an order, or choose an earlier time under “Replay from”.
          </EmptyState>
        }
      />
    </ListPage>
  );
}
