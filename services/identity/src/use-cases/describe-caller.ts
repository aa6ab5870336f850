import type { Context, Instant, Scope } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { isId, type ApiKeyId, type MarketplaceId } from '@holdfast/kernel/ids';
import { findMarketplace } from './find-marketplace.js';
import type { Deps } from './ports.js';

export type CallerDescription = {
  readonly type: 'master' | 'api_key' | 'token';
  readonly apiKeyId: ApiKeyId | null;
  readonly apiKeyName: string | null;
  readonly scopes: readonly Scope[];
  readonly marketplaceId: MarketplaceId;
  readonly marketplaceName: string;
  readonly expiresAt: Instant | null;
};

export async function describeCaller(deps: Deps, { caller }: Context): Promise<CallerDescription> {
  const { type, scopes, marketplaceId, expiresAt } = caller;
  const { name: marketplaceName } = await findMarketplace(deps, marketplaceId);
  const acts = { scopes, marketplaceId, marketplaceName };
  if (type === 'master') return { type, apiKeyId: null, apiKeyName: null, ...acts, expiresAt: null };
  const key = isId(caller.id, 'key') ? await deps.apiKeys.find(caller.id) : undefined;
  if ((type !== 'api_key' && type !== 'token') || key === undefined) throw new AppError('UNAUTHORIZED');
  return { type, apiKeyId: key.id, apiKeyName: key.name, ...acts, expiresAt: expiresAt ?? key.expiresAt };
}
