import { z } from 'zod';
import { id, instantIn, noBody, noParams, noQuery, pageQuery } from '../shapes/index.js';
import { accessToken, apiKey, apiKeyName, authContext, newApiKey, rotatedApiKey, scopesIn } from './auth-shapes.js';
import { route } from './route.js';

const path = '/auth/api-keys';
const ofKeys = { service: 'identity', family: 'plain', malformedParams: 'API_KEY_NOT_FOUND' } as const;
const onKeys = { ...ofKeys, path, params: noParams } as const;

/** Allowed for the master key and for the key itself, whatever its scopes. */
const onKey = { ...ofKeys, auth: 'any', idempotent: true, params: z.strictObject({ id: id('key') }), query: noQuery } as const;

/** The longest overlap, in seconds. */
export const overlapMax = 86_400;
export const tokenLifetime = { min: 60, max: 3_600, default: 900 } as const;

export const createApiKey = route({
  ...onKeys,
  name: 'apiKeys.create',
  method: 'post',
  summary: 'Create an API key',
  description: 'Requires the master key. The key is returned only in this response and cannot be retrieved later.',
  auth: 'master',
  idempotent: true,
  query: noQuery,
  body: z.strictObject({
    name: apiKeyName,
    scopes: scopesIn,
    marketplaceId: id('mkt')
      .meta({
        description: 'Marketplace that the key belongs to; defaults to the marketplace of the request',
        example: 'mkt_default',
      })
      .optional(),
    expiresAt: instantIn
      .optional()
      .meta({ description: 'Expiry time; null or omitted: the key does not expire', example: '2035-01-31T12:00:00Z' }),
  }),
  success: { status: 201, data: newApiKey },
  errors: ['MARKETPLACE_NOT_FOUND'],
});

export const listApiKeys = route({
  ...onKeys,
  name: 'apiKeys.list',
  method: 'get',
  summary: 'List API keys',
  description:
    'Newest first. The master key lists all keys; a credential with the scope `support` lists the keys of its own marketplace.',
  auth: 'support',
  idempotent: false,
  query: z.strictObject(pageQuery),
  body: noBody,
  success: { status: 200, data: apiKey, list: true },
  errors: [],
});

export const revokeApiKey = route({
  ...onKey,
  name: 'apiKeys.revoke',
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Revoke an API key',
  description: 'Requires the master key or the key itself. The key and its tokens stop working within five seconds.',
  body: noBody,
  success: { status: 200, data: apiKey },
  errors: ['INSUFFICIENT_SCOPE', 'API_KEY_NOT_FOUND'],
});

export const rotateApiKey = route({
  ...onKey,
  name: 'apiKeys.rotate',
  method: 'post',
  path: `${path}/{id}/rotate`,
  summary: 'Rotate an API key',
  description:
    'Requires the master key or the key itself. Issues a new secret. The previous key and its tokens stay valid for `overlapSeconds`; any key before the previous one is revoked immediately.',
  body: z.strictObject({
    overlapSeconds: z
      .int()
      .min(0)
      .max(overlapMax)
      .default(0)
      .meta({ description: 'How long the previous key stays valid', example: 3_600 }),
  }),
  success: { status: 200, data: rotatedApiKey },
  errors: ['INSUFFICIENT_SCOPE', 'API_KEY_NOT_FOUND', 'INVALID_STATE'],
});

export const createAccessToken = route({
  ...onKey,
  name: 'apiKeys.createToken',
  method: 'post',
  path: `${path}/{id}/token`,
  summary: 'Create an access token',
  description:
    'Requires the master key or the key itself. A token is short-lived, has the scopes of its key or a subset of them, and expires with its key at the latest.',
  body: z.strictObject({
    scopes: scopesIn.optional().meta({ description: 'A subset of the scopes of the key; defaults to all of them' }),
    ttlSeconds: z
      .int()
      .min(tokenLifetime.min)
      .max(tokenLifetime.max)
      .default(tokenLifetime.default)
      .meta({ description: 'Lifetime in seconds' }),
  }),
  success: { status: 201, data: accessToken },
  errors: ['INSUFFICIENT_SCOPE', 'API_KEY_NOT_FOUND', 'INVALID_STATE'],
});

export const getAuthContext = route({
  ...ofKeys,
  name: 'apiKeys.getCurrent',
  method: 'get',
  path: '/auth/me',
  summary: 'Get the current credential',
  description: 'Type, scopes and marketplace of the credential that the request is made with.',
  auth: 'any',
  idempotent: false,
  params: noParams,
  query: noQuery,
  body: noBody,
  success: { status: 200, data: authContext },
  errors: [],
});

/** In the order in which their examples succeed one after the other. */
export const authRoutes = { createApiKey, listApiKeys, rotateApiKey, createAccessToken, revokeApiKey, getAuthContext };
