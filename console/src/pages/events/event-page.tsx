import type { Event } from '@holdfast/sdk';
import type { PageProps } from '../../page-props.js';
import { useRead } from '../../data/use-read.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { IdLink } from '../../ui/id-link.js';
import { JsonView } from '../../ui/json-view.js';
import { ObjectPage } from '../../ui/object-page.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';

export function EventPage({ params: { id = '' } }: PageProps) {
  const query = useRead(['events.get', id], (api) => api.events.get(id));
  return <QueryView query={query}>{(event) => <EventView event={event} />}</QueryView>;
}

function EventView({ event }: { readonly event: Event }) {
  const { eventId, eventType, payload } = event;
  return (
    <ObjectPage kind="Event" id={eventId} title={eventType} request={{ operation: 'events.get', params: [eventId] }}>
      <Section title="Event">
        <Facts facts={factsOf(event)} />
      </Section>
      <Section title="Payload">
        <JsonView value={payload} label="Payload" />
      </Section>
    </ObjectPage>
  );
}

function factsOf({ occurredAt, aggregateId, aggregateType, metadata }: Event): readonly Fact[] {
  const { aggregateVersion, causationId, correlationId } = metadata;
  return [
    { label: 'Occurred', value: <Time at={occurredAt} /> },
    { label: aggregateType, value: <IdLink id={aggregateId} /> },
    { label: 'Its version', value: aggregateVersion },
    { label: 'Caused by', value: causationId === null ? 'A request' : <IdLink id={causationId} /> },
    { label: 'Request', value: correlationId === undefined ? null : <IdLink id={correlationId} /> },
  ];
}
