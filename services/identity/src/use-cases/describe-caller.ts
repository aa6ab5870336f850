import type { Context, Instant, Scope } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { isId, type ApiKeyId, type MarketplaceId } from '@holdfast/kernel/ids';
import type { Deps } from './ports.js';

export type CallerDescription = {
  readonly type: 'master' | 'api_key' | 'token';
  readonly apiKeyId: ApiKeyId | null;
  readonly apiKeyName: string | null;
  readonly scopes: readonly Scope[];
  readonly marketplaceId: MarketplaceId;
  readonly expiresAt: Instant | null;
};

export async function describeCaller(deps: Deps, { caller }: Context): Promise<CallerDescription> {
  const { type, scopes, marketplaceId, expiresAt } = caller;
  if (type === 'master') return { type, apiKeyId: null, apiKeyName: null, scopes, marketplaceId, expiresAt: null };
  const key = isId(caller.id, 'key') ? await deps.apiKeys.find(caller.id) : undefined;
  if ((type !== 'api_key' && type !== 'token') || key === undefined) throw new AppError('UNAUTHORIZED');
  return { type, apiKeyId: key.id, apiKeyName: key.name, scopes, marketplaceId, expiresAt: expiresAt ?? key.expiresAt };
}
