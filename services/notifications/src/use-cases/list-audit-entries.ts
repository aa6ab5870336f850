import type { Context } from '@holdfast/shared/context';
import { AppError } from '@holdfast/shared/errors';
import type { AuditEntry } from '../domain/audit-chain.js';
import type { AuditFilter, AuditTrail } from './ports.js';

export type AuditPage = { readonly items: readonly AuditEntry[]; readonly nextCursor: string | null };

export async function listAuditEntries(audit: AuditTrail, filter: AuditFilter, ctx: Context): Promise<AuditPage> {
  const found = await audit.list(ctx.caller.marketplaceId, filter);
  if (found === undefined) throw new AppError('VALIDATION_ERROR', { validationErrors: ['cursor is not an item of this list'] });
  const items = found.slice(0, filter.limit);
  return { items, nextCursor: found.length > filter.limit ? (items.at(-1)?.id ?? null) : null };
}
