import type { Event } from '@holdfast/sdk';
import type { Column } from '../../ui/data-table.js';
import { IdLink } from '../../ui/id-link.js';
import { Time } from '../../ui/time.js';
import { JsonButton } from '../../ui/json-button.js';

export const eventColumns: readonly Column<Event>[] = [
  { header: 'At', cell: ({ occurredAt }) => <Time at={occurredAt} /> },
  { header: 'Type', cell: ({ eventType }) => <strong className="hf-event-type">{eventType}</strong> },
  { header: 'About', cell: ({ aggregateId }) => <IdLink id={aggregateId} /> },
  { header: 'Version', cell: ({ metadata }) => metadata.aggregateVersion, isNumeric: true, isMinor: true },
  { header: 'Event', cell: ({ eventId }) => <IdLink id={eventId} />, isMinor: true },
  { header: 'Content', cell: (event) => <JsonButton value={event} title={event.eventType} />, isMinor: true },
];
