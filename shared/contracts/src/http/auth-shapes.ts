import { z } from 'zod';
import { scopes } from '@holdfast/kernel/context';
import { id, instant, name, scope } from '../shapes/index.js';

/** `*` means all scopes; the response lists all of them. */
export const scopesIn = z
  .array(z.enum([...scopes, '*']))
  .min(1)
  .max(scopes.length + 1)
  .meta({ description: 'Scopes: `read`, `write`, `support`, or `*` for all of them', example: ['read', 'write'] });

export const apiKeyName = name.meta({ description: 'Display name', example: 'checkout' });

export const apiKeyStatuses = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const;

const expiresAt = instant.nullable().meta({ description: 'Expiry time; null if it does not expire', example: null });
const secretText = z.string().meta({
  description: 'The API key. It is returned only once and cannot be retrieved later',
  example: 'hk_live_01JB2M3N4P5Q6R7S8T9V0W1X2Y_3q2-7wXv9GkLm5RtYcBnJh8DfSaQpZoEiUxWlTgVrKs',
});

const apiKeyFields = {
  id: id('key'),
  name: apiKeyName,
  scopes: z.array(scope),
  marketplaceId: id('mkt'),
  createdAt: instant,
  expiresAt,
};

export const apiKey = z
  .object({
    ...apiKeyFields,
    status: z.enum(apiKeyStatuses),
    lastUsedAt: instant
      .nullable()
      .meta({ description: 'Last use, accurate to a few seconds; null if it was never used', example: null }),
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyView = z.infer<typeof apiKey>;

export const newApiKey = z
  .object({ ...apiKeyFields, key: secretText, api_key: secretText.meta({ description: 'Same value as `key`' }) })
  .meta({ id: 'NewApiKey' });
export type NewApiKeyView = z.infer<typeof newApiKey>;

export const rotatedApiKey = newApiKey
  .extend({
    previousKeyValidUntil: instant
      .nullable()
      .meta({ description: 'Until when the previous key is still valid; null if it is already invalid', example: null }),
  })
  .meta({ id: 'RotatedApiKey' });
export type RotatedApiKeyView = z.infer<typeof rotatedApiKey>;

export const accessToken = z
  .object({
    token: z.string().meta({
      description: 'Access token; send it as a bearer token, like an API key',
      example: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJrZXlfMDFKQjIifQ.c2lnbmVk',
    }),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().meta({ description: 'Lifetime in seconds', example: 900 }),
    expiresAt: instant,
    scopes: z.array(scope),
  })
  .meta({ id: 'AccessToken' });
export type AccessTokenView = z.infer<typeof accessToken>;

export const authContext = z
  .object({
    type: z.enum(['master', 'api_key', 'token']).meta({ description: 'Credential type', example: 'api_key' }),
    apiKeyId: id('key').nullable().meta({ description: 'Null for the master key' }),
    apiKeyName: z.string().nullable().meta({ description: 'Null for the master key', example: 'checkout' }),
    scopes: z.array(scope),
    marketplaceId: id('mkt'),
    marketplaceName: z.string().meta({ description: 'Display name of the marketplace', example: 'Crafts and Co' }),
    expiresAt,
  })
  .meta({ id: 'AuthContext' });
export type AuthContextView = z.infer<typeof authContext>;
