import { moneyOfNumber, paginationOf, projectRoutes } from '@holdfast/contracts/http';
import { bindRoutes, requireAccount, type BoundRoute } from '@holdfast/http/server';
import type { Currency } from '@holdfast/kernel/money';
import { initEscrow } from '../use-cases/init-escrow.js';
import type { Deps } from '../use-cases/ports.js';
import { cancelProject, createProject, listProjects } from '../use-cases/projects.js';
import { releaseEscrow } from '../use-cases/release-escrow.js';
import { viewOfEscrow, viewOfProject, viewOfReleasedEscrow } from './account-view.js';
import { initEscrowRoute } from './escrow-currency-routes.js';

/** The routes for people: each acts for the person who has logged in. */
export function accountRoutesOf(deps: Deps, escrowCurrencies: readonly Currency[]): readonly BoundRoute[] {
  const declared = { ...projectRoutes, initEscrow: initEscrowRoute(escrowCurrencies) };
  return bindRoutes(declared, {
    listProjects: async ({ query }, ctx) => {
      const { items, total } = await listProjects(deps, { ...query, ownerId: requireAccount(ctx) }, ctx);
      return { projects: items.map(viewOfProject), pagination: paginationOf(query, total) };
    },
    createProject: async ({ body: { budget, currency, ...texts } }, ctx) => {
      const input = { ...texts, budget: moneyOfNumber(budget, currency), ownerId: requireAccount(ctx) };
      return viewOfProject(await createProject(deps, input, ctx));
    },
    updateProject: async ({ params }, ctx) =>
      viewOfProject(await cancelProject(deps, { ...params, ownerId: requireAccount(ctx) }, ctx)),
    initEscrow: async ({ body: { amount, currency, ...ids } }, ctx) => {
      const input = { ...ids, amount: moneyOfNumber(amount, currency), buyerId: requireAccount(ctx) };
      return viewOfEscrow(await initEscrow(deps, input, ctx), ids.projectId);
    },
    releaseEscrow: async ({ body }, ctx) =>
      viewOfReleasedEscrow(await releaseEscrow(deps, { ...body, buyerId: requireAccount(ctx) }, ctx)),
  });
}
