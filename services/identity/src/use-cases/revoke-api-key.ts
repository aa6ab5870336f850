import type { Context } from '@holdfast/kernel/context';
import { apiKeyRevoked } from '@holdfast/contracts/messages';
import { AppError } from '@holdfast/kernel/errors';
import type { ApiKeyId } from '@holdfast/kernel/ids';
import { revoke } from '../domain/api-key.js';
import { requireKeyOrMaster } from '../domain/rights.js';
import { auditedKey, publishAudit } from './audit.js';
import { withStatus, type KeyWithStatus } from './key-status.js';
import type { Deps } from './ports.js';

export async function revokeApiKey(deps: Deps, input: { readonly id: ApiKeyId }, ctx: Context): Promise<KeyWithStatus> {
  const { id } = input;
  requireKeyOrMaster(ctx.caller, id);
  const revoked = await deps.perform({ name: 'revokeApiKey', input, ctx }, async (tx) => {
    const key = await tx.apiKeys.lock(id);
    if (key === undefined) throw new AppError('API_KEY_NOT_FOUND', { apiKeyId: id });
    const after = revoke(key, ctx.at);
    if (after === key) return key;
    await tx.apiKeys.save(after);
    tx.publish(apiKeyRevoked, {
      aggregateId: id,
      aggregateVersion: after.version,
      marketplaceId: key.marketplaceId,
      payload: { apiKeyId: id },
    });
    const states = { before: auditedKey(key), after: auditedKey(after) };
    publishAudit(tx, { ...states, action: 'API_KEY_REVOKED', resourceType: 'ApiKey', resource: after }, ctx);
    tx.apiKeys.invalidateCaches(id);
    return after;
  });
  ctx.log.info({ apiKeyId: id }, 'api key revoked');
  return withStatus(revoked, ctx.at);
}
