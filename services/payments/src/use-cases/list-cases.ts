import type { Context } from '@holdfast/kernel/context';
import { pageOf, type Page } from '@holdfast/kernel/pages';
import type { Case } from '../domain/case.js';
import type { CaseFilter, Deps } from './ports.js';

/** The master key lists the cases without a user, too. */
export function listCases(deps: Deps, filter: CaseFilter, { caller }: Context): Promise<Page<Case>> {
  return pageOf(filter.limit, deps.cases.list(caller.marketplaceId, { ...filter, hasUser: caller.type !== 'master' }));
}
