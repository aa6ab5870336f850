import { z } from 'zod';
import { disabledReasons } from '../messages/index.js';
import { freeText, id, instant, instantIn, noBody, noParams, noQuery, pageQuery, textMax } from '../shapes/index.js';
import { eventTypes, eventTypesIn } from './events.js';
import { route } from './route.js';
import { webhookDelivery } from './webhook-deliveries.js';

export const webhookEndpointStatuses = ['ENABLED', 'DISABLED'] as const;
export const webhookOrderings = ['aggregate', 'none'] as const;

/** The overlap of two secrets, in seconds. */
export const secretOverlap = { default: 86_400, max: 604_800 } as const;
const urlLengthMax = 2_048;

const url = z
  .string()
  .max(urlLengthMax)
  .refine(isEndpointUrl, 'must be a URL with https, without user name, password and fragment')
  .meta({
    description: 'Where events are posted. Every address that its name resolves to must be public',
    example: 'https://marketplace.example/webhooks',
  });

/** Whether plain http is allowed depends on the address, which the service checks. */
function isEndpointUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' && !text.includes('#');
}

const description = freeText(textMax.description).meta({ example: 'Orders of the shop' });
const ordering = z.enum(webhookOrderings).meta({
  description:
    '`aggregate`: an event waits until the one before it of the same resource was delivered, given up or canceled. `none`: no event waits',
  example: 'aggregate',
});

const fields = {
  id: id('whk'),
  url: z.string(),
  types: z.array(z.string()).meta({ description: 'Empty: all' }),
  description: z.string().nullable(),
  ordering: z.enum(webhookOrderings),
  status: z.enum(webhookEndpointStatuses),
  failingSince: instant.nullable().meta({
    description: 'Since when every attempt has failed; set after 24 hours. After 5 days the endpoint is disabled',
  }),
  disabledAt: instant.nullable(),
  disabledReason: z.enum(disabledReasons).nullable().meta({ description: '`GONE`: the endpoint has responded with 410' }),
  createdAt: instant,
  updatedAt: instant,
};

const example = {
  id: 'whk_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
  url: 'https://marketplace.example/webhooks',
  types: ['order.*', 'balance.credited'],
  description: 'Orders of the shop',
  ordering: 'aggregate',
  status: 'ENABLED',
  failingSince: null,
  disabledAt: null,
  disabledReason: null,
  createdAt: '2026-01-31T12:00:00.123456Z',
  updatedAt: '2026-01-31T12:00:00.123456Z',
} as const;

export const webhookEndpoint = z.object(fields).meta({ id: 'WebhookEndpoint', example });
export type WebhookEndpointView = z.infer<typeof webhookEndpoint>;

const secret = z.string().meta({ description: '`whsec_` and 32 bytes in base64. Shown only here; keep it to verify signatures' });
/** Not a real key: the bytes are 0 to 31. */
const exampleSecret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

export const webhookEndpointWithSecret = z
  .object({ ...fields, secret })
  .meta({ id: 'WebhookEndpointWithSecret', example: { ...example, secret: exampleSecret } });

const path = '/webhook-endpoints';
const ofEndpoints = { service: 'notifications', family: 'plain', malformedParams: 'WEBHOOK_ENDPOINT_NOT_FOUND' } as const;
const onEndpoints = { ...ofEndpoints, path, params: noParams } as const;
const onEndpoint = { ...ofEndpoints, params: z.strictObject({ id: id('whk') }), query: noQuery } as const;
const changing = { ...onEndpoint, auth: 'write', idempotent: true } as const;

export const createWebhookEndpoint = route({
  ...onEndpoints,
  name: 'webhookEndpoints.create',
  method: 'post',
  summary: 'Create a webhook endpoint',
  description:
    'From now on the events of your marketplace are posted to the URL, signed with the secret, which is returned only here and by a rotation.',
  auth: 'write',
  idempotent: true,
  query: noQuery,
  body: z.strictObject({
    url,
    types: eventTypesIn.default([]),
    description: description.optional(),
    ordering: ordering.default('aggregate'),
  }),
  success: { status: 201, data: webhookEndpointWithSecret },
  errors: ['LIMIT_EXCEEDED'],
  errorMessages: { LIMIT_EXCEEDED: 'The marketplace has as many webhook endpoints as it may have.' },
});

export const listWebhookEndpoints = route({
  ...onEndpoints,
  name: 'webhookEndpoints.list',
  method: 'get',
  summary: 'List webhook endpoints',
  description: 'Newest first.',
  auth: 'read',
  idempotent: false,
  query: z.strictObject(pageQuery),
  body: noBody,
  success: { status: 200, data: webhookEndpoint, list: true },
  errors: [],
});

export const getWebhookEndpoint = route({
  ...onEndpoint,
  name: 'webhookEndpoints.get',
  method: 'get',
  path: `${path}/{id}`,
  summary: 'Get a webhook endpoint',
  auth: 'read',
  idempotent: false,
  body: noBody,
  success: { status: 200, data: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
});

export const updateWebhookEndpoint = route({
  ...changing,
  name: 'webhookEndpoints.update',
  method: 'patch',
  path: `${path}/{id}`,
  summary: 'Update a webhook endpoint',
  description:
    'Fields that are omitted or null are not changed; an empty `description` removes it. New `types` apply to events that come from now on.',
  body: z.strictObject({
    url: url.optional(),
    types: eventTypesIn.optional(),
    description: description.optional(),
    ordering: ordering.optional(),
  }),
  success: { status: 200, data: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
});

export const deleteWebhookEndpoint = route({
  ...changing,
  name: 'webhookEndpoints.delete',
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Delete a webhook endpoint',
  description: 'Pending deliveries are canceled. The log of its deliveries stays as long as the history.',
  body: noBody,
  success: { status: 200, data: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
});

export const rotateWebhookSecret = route({
  ...changing,
  name: 'webhookEndpoints.rotateSecret',
  method: 'post',
  path: `${path}/{id}/rotate-secret`,
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'Issues a new secret. For `overlapSeconds` requests carry signatures of both secrets. A second rotation meanwhile is refused unless its `overlapSeconds` is 0, which ends all older secrets at once.',
  body: z.strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(secretOverlap.max)
      .default(secretOverlap.default)
      .meta({ description: 'How long the previous secret signs, too', example: 3_600 }),
  }),
  success: { status: 200, data: webhookEndpointWithSecret },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE'],
});

export const disableWebhookEndpoint = route({
  ...changing,
  name: 'webhookEndpoints.disable',
  method: 'post',
  path: `${path}/{id}/disable`,
  summary: 'Disable a webhook endpoint',
  description: 'Pending deliveries are canceled, and none are created until it is enabled.',
  body: noBody,
  success: { status: 200, data: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE'],
});

export const enableWebhookEndpoint = route({
  ...changing,
  name: 'webhookEndpoints.enable',
  method: 'post',
  path: `${path}/{id}/enable`,
  summary: 'Enable a webhook endpoint',
  description:
    'With `replay` it resumes with the first event that was not delivered, in the order of the log. Otherwise it sends the events from now on.',
  body: z.strictObject({ replay: z.boolean().default(true).meta({ example: true }) }),
  success: { status: 200, data: webhookEndpoint },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE'],
});

export const testWebhookEndpoint = route({
  ...changing,
  name: 'webhookEndpoints.test',
  method: 'post',
  path: `${path}/{id}/test`,
  summary: 'Send a test event to a webhook endpoint',
  description:
    'Posts an example event with `metadata.test: true`, whatever `types` the endpoint has. It is neither on the stream nor in a replay.',
  body: z.strictObject({ type: z.enum(eventTypes).default('order.created').meta({ example: 'order.created' }) }),
  success: { status: 201, data: webhookDelivery },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE'],
});

export const replayWebhookEvents = route({
  ...changing,
  name: 'webhookEndpoints.replay',
  method: 'post',
  path: `${path}/{id}/replay`,
  summary: 'Deliver past events again',
  description:
    'Delivers the events of the history after `since`, up to `until`, that match `types` (by default the types of the endpoint). New events do not wait for them.',
  body: z.strictObject({
    since: instantIn.meta({ description: 'Events after this time', example: '2026-01-31T12:00:00Z' }),
    until: instantIn
      .optional()
      .meta({ description: 'Events up to this time; by default until now', example: '2099-01-31T12:00:00Z' }),
    types: eventTypesIn.optional(),
  }),
  success: {
    status: 202,
    data: z.object({ deliveries: z.int().min(0).meta({ description: 'How many events will be delivered', example: 12 }) }),
  },
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE'],
});

/** In the order in which their examples succeed one after the other. */
export const webhookEndpointRoutes = {
  createWebhookEndpoint,
  listWebhookEndpoints,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  replayWebhookEvents,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  deleteWebhookEndpoint,
};
