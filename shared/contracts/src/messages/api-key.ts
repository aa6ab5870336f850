import { z } from 'zod';
import { id, instant } from '../shapes/index.js';
import { message } from './message.js';

/**
 * The topic of notifications that an API key was changed or revoked, which invalidate caches; the notification's key is the API
 * key's id. A notification may be lost, so keys are cached for at most five seconds.
 */
export const credentialsTopic = 'credentials';

const apiKeyMessage = {
  version: 1,
  visibility: 'internal',
  aggregateType: 'ApiKey',
  publisher: 'identity',
  acknowledged: true,
} as const;

export const apiKeyRotated = message({
  ...apiKeyMessage,
  type: 'api_key.rotated',
  summary: 'An API key was rotated; the previous secret is valid until the given time at most.',
  payload: z.strictObject({ apiKeyId: id('key'), previousKeyValidUntil: instant.nullable() }),
});

export const apiKeyRevoked = message({
  ...apiKeyMessage,
  type: 'api_key.revoked',
  summary: 'An API key and its tokens were revoked; its open streams are closed.',
  payload: z.strictObject({ apiKeyId: id('key') }),
});

export const apiKeyMessages = [apiKeyRotated, apiKeyRevoked] as const;
