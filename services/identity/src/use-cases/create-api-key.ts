import type { Context, Instant, Scope } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { newApiKey, type ApiKey } from '../domain/api-key.js';
import { keyText } from '../domain/key-text.js';
import { requireMaster, expandScopes } from '../domain/rights.js';
import { auditedKey, publishAudit } from './audit.js';
import { findMarketplace } from './find-marketplace.js';
import type { Deps } from './ports.js';

export type CreateApiKey = {
  readonly name: string;
  readonly scopes: readonly (Scope | '*')[];
  readonly marketplaceId?: MarketplaceId | undefined;
  readonly expiresAt?: Instant | undefined;
};

/** A key with its text, which is returned once and not stored in plain text. */
export type KeyWithText = { readonly key: ApiKey; readonly text: string };

export async function createApiKey(deps: Deps, input: CreateApiKey, ctx: Context): Promise<KeyWithText> {
  requireMaster(ctx.caller);
  const { name, marketplaceId = ctx.caller.marketplaceId, expiresAt = null } = input;
  await findMarketplace(deps, marketplaceId);
  const created = await deps.perform({ name: 'createApiKey', input, ctx }, async (tx) => {
    assertInFuture(expiresAt, ctx.at);
    const id = deps.newId('key');
    const text = keyText(id, deps.secrets.generate());
    const scopes = expandScopes(input.scopes);
    const key = newApiKey({ id, marketplaceId, name, scopes, secretHash: deps.secrets.hash(text), expiresAt }, ctx.at);
    await tx.apiKeys.insert(key);
    publishAudit(
      tx,
      { action: 'API_KEY_CREATED', resourceType: 'ApiKey', resource: key, before: null, after: auditedKey(key) },
      ctx,
    );
    return { key, text };
  });
  ctx.log.info({ apiKeyId: created.key.id, marketplaceId }, 'api key created');
  return created;
}

function assertInFuture(expiresAt: Instant | null, at: Instant): void {
  if (expiresAt === null || expiresAt > at) return;
  throw new AppError('VALIDATION_ERROR', { validationErrors: ['expiresAt must lie in the future'] });
}
