import { event } from '../http/index.js';
import type { MessageDeclaration } from '../messages/index.js';
import { describeEvent, type DescribedEvent } from './event-schema.js';
import { describeShape, type DescribedSchema } from './schema.js';
import { eventsTag } from './tags.js';
import type { Webhook } from './types.js';

type Webhooks = {
  readonly webhooks: Readonly<Record<string, { readonly post: Webhook }>>;
  readonly named: readonly DescribedSchema['named'][];
};

/** The public events as OpenAPI webhooks. Each says that it comes by the stream, too. */
export function webhooksOf(messages: readonly MessageDeclaration[]): Webhooks {
  const events = messages.filter(({ visibility }) => visibility === 'public').map(describeEvent);
  if (events.length === 0) return { webhooks: {}, named: [] };
  return {
    webhooks: Object.fromEntries(events.map((described) => [described.declaration.type, { post: webhookOf(described) }])),
    named: [describeShape(event, 'response').named, ...events.map(({ named }) => named)],
  };
}

function webhookOf({ declaration: { type, summary }, schema, example }: DescribedEvent): Webhook {
  return {
    operationId: type,
    tags: [eventsTag.name],
    summary: type,
    description: `${summary}\n\nPosted to your webhook endpoints, and on the event stream, \`GET /events\`, the \`data\` of a server-sent event.`,
    requestBody: { required: true, content: { 'application/json': { schema, examples: { event: { value: example } } } } },
  };
}
