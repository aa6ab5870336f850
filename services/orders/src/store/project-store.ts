import type { Database, Tx } from '@holdfast/postgres';
import type { ProjectStatus } from '../domain/project.js';
import type { Deps, LockedProject } from '../use-cases/ports.js';
import { findOrders } from './order-store.js';
import { toJoinedOrder, toProject, toProjectRow, type JoinedRow } from './rows.js';
import { projects, type ProjectRow } from './schema.js';
import { countProjects, listProjects, lockProjects } from './sql/projects.js';

type LockedRow = ProjectRow & { readonly isStopped: boolean };
type ListedRow = ProjectRow & { readonly status: ProjectStatus };

export function projectStore(database: Database): Deps['projects'] {
  return {
    insert: async (project) => {
      await database.pool.manager.insert(projects.entity, toProjectRow(project));
    },
    list: async ({ marketplaceId, ownerId }, { page, limit, status = null }) => {
      const of = [marketplaceId, ownerId, status];
      const [listed, counted] = await Promise.all([
        database.lists.query<ListedRow>(listProjects, [...of, limit, (page - 1) * limit]),
        database.lists.query<{ readonly total: number }>(countProjects, of),
      ]);
      const items = listed.rows.map(({ status: current, ...row }) => ({ ...toProject(row), status: current }));
      return { items, total: counted.rows[0]?.total ?? 0 };
    },
    cancel: ({ marketplaceId, id }, cancel) =>
      database.inTransaction(async (tx) => {
        const locked = (await lockAndReadProjects(tx, [id])).get(id);
        const canceled = cancel(locked?.project.marketplaceId === marketplaceId ? locked : undefined);
        await tx.manager.update(projects.entity, { id: canceled.id }, { canceledAt: canceled.canceledAt });
        return canceled;
      }),
  };
}

/** By id, each with the newest order that pays for it. The orders are not locked. */
export async function lockAndReadProjects(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, LockedProject>> {
  const rows = await tx.query<LockedRow>(lockProjects, [ids]);
  const orderIds = rows.flatMap(({ orderId }) => orderId ?? []);
  const orders = orderIds.length === 0 ? [] : (await tx.query<JoinedRow>(findOrders, [orderIds])).map(toJoinedOrder);
  return new Map(
    rows.map(({ isStopped, ...row }) => {
      const order = orders.find(({ id }) => id === row.orderId);
      return [row.id, { project: toProject(row), order, isStopped }];
    }),
  );
}
