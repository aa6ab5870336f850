import { errorCodes } from '@holdfast/kernel/errors';
import { errorExamples } from './error-examples.js';
import type { JsonSchema } from './schema.js';
import type { OpenApiDocument } from './types.js';

type Components = OpenApiDocument['components'];

const headers: Components['headers'] = {
  'X-Request-ID': {
    description: 'Id of the request: the UUID that was sent, or a new one. Include it in support requests.',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': { description: 'Requests allowed per window.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left in the current window.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'End of the current window, as a Unix timestamp in seconds.', schema: { type: 'integer' } },
  Location: { description: 'Redirect target.', schema: { type: 'string', format: 'uri' } },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
  'X-Idempotency-Key': { description: 'The Idempotency-Key that was applied.', schema: { type: 'string', format: 'uuid' } },
  'Idempotency-Replay': {
    description: 'Present if this is the stored response of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
};

const parameters: Components['parameters'] = {
  RequestId: {
    name: 'X-Request-ID',
    in: 'header',
    required: false,
    description: 'UUID of your choice to correlate requests and logs.',
    schema: { type: 'string', format: 'uuid' },
  },
  MarketplaceId: {
    name: 'X-Marketplace-ID',
    in: 'header',
    required: false,
    description: 'Only with the master key: the marketplace that the request is for. Default: the default marketplace.',
    schema: { type: 'string', pattern: '^mkt_[A-Za-z0-9]{1,64}$' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'UUID v4. Repeating the same request with the same key within 24 hours returns the stored first response.',
    schema: { type: 'string', format: 'uuid' },
  },
};

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: {
          type: 'string',
          enum: [...errorCodes],
          description: 'Machine-readable error code. Branch on this, not on the HTTP status or the message',
        },
        message: { type: 'string', description: 'Human-readable message' },
        details: {
          type: 'object',
          required: ['requestId'],
          properties: { requestId: { type: 'string', format: 'uuid', description: 'Id of the request' } },
          additionalProperties: true,
        },
      },
    },
  },
};

/** The error of the account API. */
const accountErrorSchema: JsonSchema = {
  type: 'object',
  required: ['code', 'type', 'ok', 'message', 'data'],
  properties: {
    code: { type: 'integer', description: 'The HTTP status' },
    type: { const: 'error' },
    ok: { const: false },
    message: { type: 'string', description: 'Human-readable message' },
    data: { type: 'null' },
    errors: { type: 'array', items: { type: 'string' }, description: 'What is wrong with an invalid request' },
  },
};

const metaSchema: JsonSchema = {
  type: 'object',
  description: 'Metadata of the response',
  required: ['requestId', 'timestamp'],
  properties: {
    requestId: { type: 'string', format: 'uuid', description: 'Id of the request' },
    timestamp: { type: 'string', format: 'date-time', description: 'Time of the response' },
  },
};

/** The components that operations refer to. `schemas` are the named schemas of the routes. */
export function componentsWith(schemas: Components['schemas']): Components {
  return {
    schemas: { ...schemas, Error: errorSchema, AccountError: accountErrorSchema, Meta: metaSchema },
    securitySchemes: {
      credential: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, an access token, or the master key. Scopes: `read`, `write`, `support`.',
      },
      accountToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The token that a registration or a login returns.',
      },
    },
    parameters,
    headers,
    examples: errorExamples,
  };
}
