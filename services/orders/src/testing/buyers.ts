import type { OrderRecord } from '@holdfast/contracts/http';
import type { UserId } from '@holdfast/kernel/ids';
import type { TestCaller, TestResponse } from '@holdfast/testing/services';
import type { RunningOrders } from './running-orders.js';

/** A person with a project. */
export type Buyer = { readonly id: UserId; readonly by: TestCaller; readonly projectId: string };

export async function newBuyer({ aUser, post }: RunningOrders): Promise<Buyer> {
  const id = aUser();
  const by: TestCaller = { type: 'account', id, scopes: [] };
  const project = await post('/projects', { title: 'A website', budget: 100 }, by);
  return { id, by, projectId: project.data.id as string };
}

export type Init = {
  readonly seller_id: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly project_id?: string;
};

/** Pays for the project of the buyer into escrow. */
export function initEscrow({ post }: Pick<RunningOrders, 'post'>, { projectId, by }: Buyer, given: Init): Promise<TestResponse> {
  return post('/escrow/init', { project_id: projectId, amount: 100, currency: 'USDC', ...given }, by);
}

export function seen({ status, body }: TestResponse): readonly [number, unknown] {
  return [status, body.message];
}

export async function projectStatusOf({ get }: RunningOrders, { projectId, by }: Buyer): Promise<string | undefined> {
  const { projects } = (await get('/projects', by)).data as { projects: { id: string; status: string }[] };
  return projects.find(({ id }) => id === projectId)?.status;
}

export async function ordersOfBuyer({ get }: RunningOrders, { id }: Buyer): Promise<readonly OrderRecord[]> {
  return (await get(`/orders?buyerId=${id}`)).data.data as readonly OrderRecord[];
}
