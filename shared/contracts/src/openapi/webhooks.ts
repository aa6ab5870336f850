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

/** The public events as OpenAPI webhooks, the only section for what a server sends. Each says that it comes by the stream. */
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
    description: `${summary}\n\nComes by the event stream, \`GET /events\`, as the \`data\` of a server-sent event. It is not posted to you, although it is shown as a webhook.`,
    requestBody: { required: true, content: { 'application/json': { schema, examples: { event: { value: example } } } } },
  };
}
