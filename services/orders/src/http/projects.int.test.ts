import type { UserId } from '@holdfast/kernel/ids';
import type { TestCaller, TestResponse } from '@holdfast/testing/services';
import { startOrders, type RunningOrders } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders();
});

afterAll(async () => {
  await orders.stop();
});

const asPerson = (id: UserId): TestCaller => ({ type: 'account', id, scopes: [] });
const aPerson = (): TestCaller => asPerson(orders.aUser());
const seen = ({ status, body }: TestResponse) => [status, body.message];
const aProject = { title: 'A website', description: 'Five pages', budget: 250.5, currency: 'USDC' };

async function created(by: TestCaller, given: object = {}) {
  const response = await orders.post('/projects', { ...aProject, ...given }, by);
  expect(response.body).toMatchObject({ code: 200, type: 'success', ok: true, message: 'Project created' });
  return response.data as { readonly id: string; readonly title: string };
}

const listed = async (by: TestCaller, query = '') =>
  (await orders.get(`/projects${query}`, by)).data as {
    readonly projects: readonly { readonly id: string; readonly status: string }[];
    readonly pagination: object;
  };

describe('POST /projects', () => {
  it('returns the project, open', async () => {
    const project = await created(aPerson());
    expect(project).toEqual({
      ...aProject,
      id: expect.stringMatching(/^prj_[0-9A-Z]{26}$/),
      status: 'open',
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it('needs neither a description nor a currency', async () => {
    const response = await orders.post('/projects', { title: 'Logo', budget: 10 }, aPerson());
    expect(response.data).toMatchObject({ description: '', currency: 'USD', budget: 10 });
  });

  it('keeps every cent of a large budget', async () => {
    expect(await created(aPerson(), { budget: 99_999_999_999.99 })).toMatchObject({ budget: 99_999_999_999.99 });
  });

  it('401 for a caller that is not a person', async () => {
    expect((await orders.post('/projects', aProject)).status).toBe(401);
  });
});

describe('GET /projects', () => {
  it("lists the caller's own, newest first, page by page", async () => {
    const [ada, bob] = [aPerson(), aPerson()];
    const ids: string[] = [];
    for (const title of ['one', 'two', 'three']) ids.unshift((await created(ada, { title })).id);
    await created(bob);
    const first = await listed(ada, '?limit=2');
    const second = await listed(ada, '?limit=2&page=2');
    expect([...first.projects, ...second.projects].map(({ id }) => id)).toEqual(ids);
    expect(second.pagination).toEqual({ page: 2, limit: 2, total: 3, pages: 2 });
    expect(await listed(ada, '?page=9')).toEqual({ projects: [], pagination: { page: 9, limit: 20, total: 3, pages: 1 } });
    expect(await listed(aPerson())).toEqual({ projects: [], pagination: { page: 1, limit: 20, total: 0, pages: 0 } });
  });

  it('filters by status', async () => {
    const ada = aPerson();
    const [open, canceled] = [await created(ada), await created(ada)];
    await orders.patch(`/projects/${canceled.id}`, { status: 'canceled' }, ada);
    expect((await listed(ada, '?status=open')).projects.map(({ id }) => id)).toEqual([open.id]);
    expect(await listed(ada, '?status=canceled')).toMatchObject({ projects: [{ id: canceled.id }], pagination: { total: 1 } });
    expect((await listed(ada, '?status=completed')).projects).toEqual([]);
  });
});

describe('PATCH /projects/{id}', () => {
  it('cancels an open project, and changes nothing the second time', async () => {
    const ada = aPerson();
    const { id } = await created(ada);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const response = await orders.patch(`/projects/${id}`, { status: 'canceled' }, ada);
      expect([response.status, response.data]).toMatchObject([200, { id, status: 'canceled' }]);
    }
  });

  it("404 for another person's project, an unknown id and a malformed one", async () => {
    const { id } = await created(aPerson());
    for (const target of [id, 'prj_unknown', 'nonsense']) {
      const response = await orders.patch(`/projects/${target}`, { status: 'canceled' }, aPerson());
      expect(seen(response)).toEqual([404, 'This project does not exist.']);
    }
  });

  it('422 for any other status', async () => {
    const ada = aPerson();
    const { id } = await created(ada);
    const response = await orders.patch(`/projects/${id}`, { status: 'completed' }, ada);
    expect([response.status, response.body.errors?.length]).toEqual([422, 1]);
  });
});
