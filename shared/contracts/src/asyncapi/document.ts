import { streamEvents } from '../http/index.js';
import type { MessageDeclaration } from '../messages/index.js';
import { describeEvent, describeShape, type DescribedEvent } from '../openapi/index.js';
import { eventObject, noticeObjects } from './message-objects.js';
import type { AsyncApiDocument, MessageObject } from './types.js';

const introduction = `The events of a marketplace, as server-sent events.

Each message has the time of its event as \`id\`, its type as \`event\`, and the envelope as \`data\` in one line of JSON. To resume after a
disconnect, send the last id as \`Last-Event-ID\`: missed events are replayed first. Delivery is at least once; deduplicate by \`eventId\`.`;

/** The AsyncAPI document of the event stream, generated from the message contracts. */
export function asyncApiDocument(messages: readonly MessageDeclaration[], version: string): AsyncApiDocument {
  const shown = messages.filter(({ visibility }) => visibility === 'public');
  const events = shown.map(describeEvent);
  const objects = [...events.map(eventObject), ...noticeObjects];
  return {
    asyncapi: '3.0.0',
    info: { title: 'Holdfast events', version, description: introduction, license: { name: 'Apache-2.0' } },
    defaultContentType: 'application/json',
    servers: { platform: { host: 'localhost:8080', pathname: '/api/v1', protocol: 'http', protocolVersion: '1.1' } },
    channels: { events: channelOf(objects) },
    operations: {
      sendEvents: {
        action: 'send',
        channel: { $ref: '#/channels/events' },
        summary: streamEvents.summary,
        bindings: {
          http: { method: 'GET', query: describeShape(streamEvents.query, 'request').schema, bindingVersion: '0.3.0' },
        },
        security: [{ $ref: '#/components/securitySchemes/credential' }],
        messages: objects.map(({ name }) => ({ $ref: `#/channels/events/messages/${name}` })),
      },
    },
    components: {
      messages: Object.fromEntries(objects.map((object) => [object.name, object])),
      schemas: envelopeSchemas(events),
      securitySchemes: {
        credential: { type: 'http', scheme: 'bearer', description: 'An API key, an access token, or the master key.' },
      },
    },
  };
}

function channelOf(objects: readonly MessageObject[]): AsyncApiDocument['channels']['events'] {
  return {
    address: streamEvents.path,
    title: 'The event stream',
    description: streamEvents.description,
    messages: Object.fromEntries(objects.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }])),
  };
}

function envelopeSchemas(events: readonly DescribedEvent[]): AsyncApiDocument['components']['schemas'] {
  const envelope = describeShape(streamEvents.success.data, 'response');
  return Object.fromEntries([envelope, ...events].flatMap(({ named }) => Object.entries(named)));
}
