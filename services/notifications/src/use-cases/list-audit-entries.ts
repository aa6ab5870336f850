import type { Context } from '@holdfast/shared/context';
import { credentialsRefusedAction } from '@holdfast/shared/contracts/messages';
import { AppError } from '@holdfast/shared/errors';
import type { AuditEntry } from '../domain/audit-chain.js';
import type { AuditFilter, AuditTrail } from './ports.js';

export type AuditPage = { readonly items: readonly AuditEntry[]; readonly nextCursor: string | null };

export type ListAuditEntries = Omit<AuditFilter, 'hiddenActions'>;

/** Refused credentials are the business of who holds the master key, and of nobody else. */
export async function listAuditEntries(audit: AuditTrail, filter: ListAuditEntries, { caller }: Context): Promise<AuditPage> {
  const hiddenActions = caller.type === 'master' ? [] : [credentialsRefusedAction];
  const found = await audit.list(caller.marketplaceId, { ...filter, hiddenActions });
  if (found === undefined) throw new AppError('VALIDATION_ERROR', { validationErrors: ['cursor is not an item of this list'] });
  const items = found.slice(0, filter.limit);
  return { items, nextCursor: found.length > filter.limit ? (items.at(-1)?.id ?? null) : null };
}
