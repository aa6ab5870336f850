import type { AccessTokenView, ApiKeyView, NewApiKeyView, RotatedApiKeyView } from '@holdfast/contracts/http';
import type { KeyWithText } from '../use-cases/create-api-key.js';
import type { IssuedToken } from '../use-cases/issue-token.js';
import type { KeyWithStatus } from '../use-cases/key-status.js';

export function viewOfKey({ key, status }: KeyWithStatus): ApiKeyView {
  return { ...factsOf(key), status, lastUsedAt: key.lastUsedAt };
}

/** The text has two names because existing clients use both. */
export function viewOfNewKey({ key, text }: KeyWithText): NewApiKeyView {
  return { ...factsOf(key), key: text, api_key: text };
}

export function viewOfRotatedKey(rotated: KeyWithText): RotatedApiKeyView {
  return { ...viewOfNewKey(rotated), previousKeyValidUntil: rotated.key.previous?.validUntil ?? null };
}

export function viewOfToken({ scopes, ...issued }: IssuedToken): AccessTokenView {
  return { ...issued, tokenType: 'Bearer', scopes: [...scopes] };
}

function factsOf({ id, name, scopes, marketplaceId, createdAt, expiresAt }: KeyWithStatus['key']) {
  return { id, name, scopes: [...scopes], marketplaceId, createdAt, expiresAt };
}
