import { errorCodes } from '../../errors/index.js';
import { errorExamples } from './error-examples.js';
import type { JsonSchema } from './schema.js';
import type { OpenApiDocument } from './types.js';

type Components = OpenApiDocument['components'];

const headers: Components['headers'] = {
  'X-Request-ID': {
    description: 'The UUID that was sent, or a new one. Name it when you ask for help.',
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': { description: 'Requests a window allows.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left in this window.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'When the window ends, in Unix seconds.', schema: { type: 'integer' } },
  Location: { description: 'Where the browser goes.', schema: { type: 'string', format: 'uri' } },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer' } },
  'X-Idempotency-Key': { description: 'The key that was applied.', schema: { type: 'string', format: 'uuid' } },
  'Idempotency-Replay': {
    description: 'Present on the repeated answer to a request that was answered before.',
    schema: { type: 'string', enum: ['true'] },
  },
};

const parameters: Components['parameters'] = {
  RequestId: {
    name: 'X-Request-ID',
    in: 'header',
    required: false,
    description: 'A UUID of your own, for correlation only.',
    schema: { type: 'string', format: 'uuid' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A UUID v4. The same key with the same request within 24 hours gets the first answer again.',
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
        code: { type: 'string', enum: [...errorCodes], description: 'Branch on this, not on the status or the message.' },
        message: { type: 'string', description: 'One sentence for people.' },
        details: {
          type: 'object',
          required: ['requestId'],
          properties: { requestId: { type: 'string', format: 'uuid' } },
          additionalProperties: true,
        },
      },
    },
  },
};

const metaSchema: JsonSchema = {
  type: 'object',
  required: ['requestId', 'timestamp'],
  properties: {
    requestId: { type: 'string', format: 'uuid' },
    timestamp: { type: 'string', format: 'date-time' },
  },
};

/** What operations refer to; `schemas` are the named ones that the routes brought along. */
export function componentsWith(schemas: Components['schemas']): Components {
  return {
    schemas: { ...schemas, Error: errorSchema, Meta: metaSchema },
    securitySchemes: {
      credential: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, a short-lived token of one, or the master key. Scopes: read, write, support.',
      },
    },
    parameters,
    headers,
    examples: errorExamples,
  };
}
