import type { Context } from '@holdfast/kernel/context';
import { pageOf, type Page } from '@holdfast/kernel/pages';
import type { Case } from '../domain/case.js';
import type { CaseFilter, Deps } from './ports.js';

export function listCases(deps: Deps, filter: CaseFilter, ctx: Context): Promise<Page<Case>> {
  return pageOf(filter.limit, deps.cases.list(ctx.caller.marketplaceId, filter));
}
