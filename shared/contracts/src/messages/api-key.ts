import { z } from 'zod';
import { id, instant } from '../shapes/index.js';
import { message } from './message.js';

/**
 * The topic of the hints that tell every process at once that what it remembers of a key is no longer true; the hint's key
 * is the API key's id. Hints may be lost: nobody remembers a key for longer than five seconds.
 */
export const credentialsTopic = 'credentials';

const apiKeyMessage = {
  version: 1,
  visibility: 'internal',
  aggregateType: 'ApiKey',
  publisher: 'identity',
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
