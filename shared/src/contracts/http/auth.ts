import { z } from 'zod';
import { id, moment, noBody, noParams, noQuery, pageQuery } from '../shapes/index.js';
import { accessToken, apiKey, apiKeyName, authContext, newApiKey, rotatedApiKey, scopesIn } from './auth-shapes.js';
import { route } from './route.js';

const path = '/auth/api-keys';
const ofKeys = { service: 'identity', family: 'plain', malformedParams: 'API_KEY_NOT_FOUND' } as const;
const onKeys = { ...ofKeys, path, params: noParams } as const;

/** For the master key or the key itself, whatever its scopes. */
const onKey = { ...ofKeys, auth: 'any', idempotent: true, params: z.strictObject({ id: id('key') }), query: noQuery } as const;

/** In seconds. */
export const overlapMax = 86_400;
export const tokenLifetime = { min: 60, max: 3_600, default: 900 } as const;

export const createApiKey = route({
  ...onKeys,
  name: 'createApiKey',
  method: 'post',
  summary: 'Create an API key',
  description: 'Only the master key may. The key is shown in this answer and never again.',
  auth: 'master',
  idempotent: true,
  query: noQuery,
  body: z.strictObject({
    name: apiKeyName,
    scopes: scopesIn,
    marketplaceId: id('mkt')
      .meta({ description: 'Whose key it is; left out, the one you act for', example: 'mkt_default' })
      .optional(),
    expiresAt: moment.nullable().optional(),
  }),
  success: { status: 201, data: newApiKey },
  errors: ['MARKETPLACE_NOT_FOUND'],
});

export const listApiKeys = route({
  ...onKeys,
  name: 'listApiKeys',
  method: 'get',
  summary: 'List API keys, newest first',
  description: 'The master key sees all of them, a credential with the scope `support` those of its own marketplace.',
  auth: 'support',
  idempotent: false,
  query: z.strictObject(pageQuery),
  body: noBody,
  success: { status: 200, data: apiKey, list: true },
  errors: [],
});

export const revokeApiKey = route({
  ...onKey,
  name: 'revokeApiKey',
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Revoke an API key',
  description: 'For the master key or the key itself. It and its tokens open nothing any more within five seconds.',
  body: noBody,
  success: { status: 200, data: apiKey },
  errors: ['INSUFFICIENT_SCOPE', 'API_KEY_NOT_FOUND'],
});

export const rotateApiKey = route({
  ...onKey,
  name: 'rotateApiKey',
  method: 'post',
  path: `${path}/{id}/rotate`,
  summary: 'Replace the secret of an API key',
  description:
    'For the master key or the key itself. The key before it stays valid for `overlapSeconds`, and so do the tokens made with it; the one before that ends at once.',
  body: z.strictObject({
    overlapSeconds: z.int().min(0).max(overlapMax).default(0).meta({ example: 3_600 }),
  }),
  success: { status: 200, data: rotatedApiKey },
  errors: ['INSUFFICIENT_SCOPE', 'API_KEY_NOT_FOUND', 'INVALID_STATE'],
});

export const createAccessToken = route({
  ...onKey,
  name: 'createAccessToken',
  method: 'post',
  path: `${path}/{id}/token`,
  summary: 'Make a short-lived token of an API key',
  description:
    'For the master key or the key itself. It has the scopes of the key, or fewer, and ends with the key at the latest.',
  body: z.strictObject({
    scopes: scopesIn.optional(),
    ttlSeconds: z.int().min(tokenLifetime.min).max(tokenLifetime.max).default(tokenLifetime.default),
  }),
  success: { status: 201, data: accessToken },
  errors: ['INSUFFICIENT_SCOPE', 'API_KEY_NOT_FOUND', 'INVALID_STATE'],
});

export const getAuthContext = route({
  ...ofKeys,
  name: 'getAuthContext',
  method: 'get',
  path: '/auth/me',
  summary: 'See who this credential is',
  auth: 'any',
  idempotent: false,
  params: noParams,
  query: noQuery,
  body: noBody,
  success: { status: 200, data: authContext },
  errors: [],
});

export const authRoutes = [createApiKey, listApiKeys, revokeApiKey, rotateApiKey, createAccessToken, getAuthContext] as const;
