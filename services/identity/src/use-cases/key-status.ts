import type { Instant } from '@holdfast/kernel/context';
import type { ApiKeyStatus } from '../domain/api-key-states.js';
import { statusOf, type ApiKey } from '../domain/api-key.js';

export type KeyWithStatus = { readonly key: ApiKey; readonly status: ApiKeyStatus };

/** A key expires by itself, so what it is depends on when somebody looks. */
export function withStatus(key: ApiKey, at: Instant): KeyWithStatus {
  return { key, status: statusOf(key, at) };
}
