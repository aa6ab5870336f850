import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { ProjectId, UserId } from '@holdfast/kernel/ids';
import { orderOfProject, type Project } from '../domain/project.js';
import type { Deps, ListedProject, ProjectFilter } from './ports.js';

export type CreateProject = Pick<Project, 'ownerId' | 'title' | 'description' | 'budget'>;

export async function createProject(deps: Deps, input: CreateProject, ctx: Context): Promise<ListedProject> {
  const { marketplaceId } = ctx.caller;
  const project = { ...input, id: deps.newId('prj'), marketplaceId, orderId: null, canceledAt: null, createdAt: ctx.at };
  await deps.projects.insert(project);
  return { ...project, status: 'open' };
}

export type ListProjects = ProjectFilter & { readonly ownerId: UserId };

export function listProjects(
  deps: Deps,
  { ownerId, ...filter }: ListProjects,
  { caller: { marketplaceId } }: Context,
): ReturnType<Deps['projects']['list']> {
  return deps.projects.list({ marketplaceId, ownerId }, filter);
}

export type CancelProject = { readonly id: ProjectId; readonly ownerId: UserId };

/** Only while no order pays for it. Canceling it again changes nothing. */
export async function cancelProject(deps: Deps, { id, ownerId }: CancelProject, ctx: Context): Promise<ListedProject> {
  const { marketplaceId } = ctx.caller;
  const project = await deps.projects.cancel({ marketplaceId, id }, (locked) => {
    if (locked?.project.ownerId !== ownerId) throw new AppError('PROJECT_NOT_FOUND', { projectId: id });
    const order = orderOfProject(locked.order);
    if (order !== undefined) {
      throw new AppError('INVALID_STATE', { orderStatus: order.status }, { message: 'Project is not open' });
    }
    return { ...locked.project, canceledAt: locked.project.canceledAt ?? ctx.at };
  });
  return { ...project, status: 'canceled' };
}
