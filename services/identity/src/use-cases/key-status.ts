import type { Instant } from '@holdfast/kernel/context';
import type { ApiKeyStatus } from '../domain/api-key-states.js';
import { statusOf, type ApiKey } from '../domain/api-key.js';

export type KeyWithStatus = { readonly key: ApiKey; readonly status: ApiKeyStatus };

/** The status is computed, because a key expires without a write. */
export function withStatus(key: ApiKey, at: Instant): KeyWithStatus {
  return { key, status: statusOf(key, at) };
}
