import type { Context } from '@holdfast/kernel/context';
import { apiKeyRotated } from '@holdfast/contracts/messages';
import { AppError } from '@holdfast/kernel/errors';
import type { ApiKeyId } from '@holdfast/kernel/ids';
import { rotate } from '../domain/api-key.js';
import { keyText } from '../domain/key-text.js';
import { requireKeyOrMaster, requireCurrentSecret } from '../domain/rights.js';
import { auditedKey, publishAudit } from './audit.js';
import type { KeyWithText } from './create-api-key.js';
import type { Deps } from './ports.js';

export type RotateApiKey = { readonly id: ApiKeyId; readonly overlapSeconds: number };

export async function rotateApiKey(deps: Deps, input: RotateApiKey, ctx: Context): Promise<KeyWithText> {
  const { id, overlapSeconds } = input;
  requireKeyOrMaster(ctx.caller, id);
  const rotation = await deps.perform({ name: 'rotateApiKey', input, ctx }, async (tx) => {
    const key = await tx.apiKeys.lock(id);
    if (key === undefined) throw new AppError('API_KEY_NOT_FOUND', { apiKeyId: id });
    requireCurrentSecret(ctx.caller, key.expiresAt);
    const text = keyText(id, deps.secrets.generate());
    const rotated = rotate(key, deps.secrets.hash(text), overlapSeconds, ctx.at);
    await tx.apiKeys.save(rotated);
    tx.publish(apiKeyRotated, {
      aggregateId: id,
      aggregateVersion: rotated.version,
      marketplaceId: key.marketplaceId,
      payload: { apiKeyId: id, previousKeyValidUntil: rotated.previous?.validUntil ?? null },
    });
    const states = { before: auditedKey(key), after: auditedKey(rotated) };
    publishAudit(tx, { ...states, action: 'API_KEY_ROTATED', resourceType: 'ApiKey', resource: rotated }, ctx);
    tx.apiKeys.invalidateCaches(id);
    return { key: rotated, text };
  });
  ctx.log.info({ apiKeyId: id, overlapSeconds }, 'api key rotated');
  return rotation;
}
