import type { Context } from '@holdfast/kernel/context';
import { credentialsRefusedAction } from '@holdfast/contracts/messages';
import { pageOf, type Page } from '@holdfast/kernel/pages';
import type { AuditEntry } from '../domain/audit-chain.js';
import type { AuditFilter, AuditTrail } from './ports.js';

export type ListAuditEntries = Omit<AuditFilter, 'hiddenActions'>;

/** Entries about refused credentials are listed for the master key only. */
export function listAuditEntries(audit: AuditTrail, filter: ListAuditEntries, { caller }: Context): Promise<Page<AuditEntry>> {
  const hiddenActions = caller.type === 'master' ? [] : [credentialsRefusedAction];
  return pageOf(filter.limit, audit.list(caller.marketplaceId, { ...filter, hiddenActions }));
}
