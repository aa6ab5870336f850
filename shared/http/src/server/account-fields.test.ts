import { anAccountServer, bodyOf, envelope, named, refusal } from './testing/account-server.js';

let server: Awaited<ReturnType<typeof anAccountServer>>;

beforeAll(async () => {
  server = await anAccountServer();
});
beforeEach(() => server.reset());
afterAll(() => server.stop());

const call = async (name: string, sent: Parameters<typeof server.call>[1]) => {
  const { status, body } = await server.call(named(name), sent);
  return { status, body };
};
const account = (changes: object): string => bodyOf('accounts.register', changes);
const project = (changes: object): string => bodyOf('projects.create', changes);
const init = (changes: object): string => bodyOf('projects.initEscrow', changes);
const unstorable = 'must not contain NUL or incomplete characters';

describe('the amounts of POST /projects and POST /escrow/init', () => {
  const sendBoth = async (amount: string) => ({
    budget: await call('projects.create', { body: project({ budget: 77 }).replace('77', amount) }),
    amount: await call('projects.initEscrow', { body: init({ amount: 77 }).replace('77', amount) }),
  });

  it.each([
    ['"12.50"', ['must be a number']],
    ['true', ['must be a number']],
    ['1e999', ['must be a number']],
    ['-1e999', ['must be a number']],
    ['0', ['must be positive']],
    ['-0', ['must be positive']],
    ['-1', ['must be positive']],
    ['-0.001', ['must be positive', 'must have at most two decimal places']],
    ['1e15', ['must be at most 99999999999.99']],
    ['100000000000', ['must be at most 99999999999.99']],
    ['0.001', ['must have at most two decimal places']],
    ['12.505', ['must have at most two decimal places']],
    ['99999999999.985', ['must have at most two decimal places']],
    ['1e-7', ['must have at most two decimal places']],
  ])('422 for %s', async (text, problems) => {
    for (const [field, response] of Object.entries(await sendBoth(text)))
      expect(response).toEqual({ status: 422, body: refusal(problems.map((problem) => `${field} ${problem}`)) });
    expect(server.state.runs).toBe(0);
  });

  it.each(['0.01', '1.1', '0.29', '1.25e1', '2e2', '99999999999.99', '99999999999', '4503599627.37'])(
    '200 for %s',
    async (text) => {
      const { budget, amount } = await sendBoth(text);
      expect([budget.status, amount.status]).toEqual([200, 200]);
    },
  );
});

describe('the fields of a body', () => {
  it.each([
    ['accounts.register', account({ email: 'ada' }), ['email must be an e-mail address']],
    ['accounts.register', account({ email: 'a\u0000@example.com' }), ['email must be an e-mail address']],
    ['accounts.register', account({ email: `${'a'.repeat(250)}@example.com` }), ['email must have at most 254 characters']],
    ['accounts.register', account({ password: '1234567' }), ['password must have at least 8 characters']],
    ['accounts.register', account({ password: 'x'.repeat(129) }), ['password must have at most 128 characters']],
    ['accounts.register', account({ password: 'correct\u0000horse' }), [`password ${unstorable}`]],
    ['accounts.register', account({ password: 12_345_678 }), ['password must be a string']],
    ['accounts.register', account({ name: '  ' }), ['name is required']],
    ['accounts.register', account({ name: 'a\ud800' }), [`name ${unstorable}`]],
    ['accounts.register', account({ name: 'x'.repeat(201) }), ['name must have at most 200 characters']],
    ['accounts.logIn', '{}', ['email is required', 'password is required']],
    ['accounts.logIn', JSON.stringify({ email: 'a\u0000b', password: 'x' }), [`email ${unstorable}`]],
    ['accounts.connectWallet', '{}', ['public_key is required']],
    ['accounts.connectWallet', '{"publicKey":7}', ['publicKey must be a string']],
    [
      'accounts.connectWallet',
      '{"public_key":"G","publicKey":"G"}',
      ['publicKey is given twice, as public_key and as publicKey'],
    ],
    ['projects.create', '{}', ['title is required', 'budget is required']],
    ['projects.create', project({ title: '' }), ['title is required']],
    ['projects.create', project({ title: '\t\n ' }), ['title is required']],
    ['projects.create', project({ title: 7 }), ['title must be a string']],
    ['projects.create', project({ title: 'x'.repeat(201) }), ['title must have at most 200 characters']],
    [
      'projects.create',
      project({ title: 'a\u0000b', description: '\udc00' }),
      [`title ${unstorable}`, `description ${unstorable}`],
    ],
    ['projects.create', project({ currency: 'EUR' }), ['currency must be one of USD, XLM, USDC']],
    ['projects.create', project({ currency: 'usd' }), ['currency must be one of USD, XLM, USDC']],
    ['projects.create', project({ budget: -5, title: '' }), ['title is required', 'budget must be positive']],
    ['projects.update', '{"status":"completed"}', ['status must be one of canceled']],
    [
      'projects.initEscrow',
      init({ project_id: 7, amount: 0 }),
      ['project_id must be an id such as prj_…, which POST /projects returned', 'amount must be positive'],
    ],
    [
      'projects.initEscrow',
      init({ project_id: 'ord_1', amount: 0 }),
      ['project_id must be an id such as prj_…, which POST /projects returned', 'amount must be positive'],
    ],
    [
      'projects.initEscrow',
      init({ project_id: undefined, projectId: 7 }),
      ['projectId must be an id such as prj_…, which POST /projects returned'],
    ],
    [
      'projects.initEscrow',
      init({ seller_id: 7 }),
      ['seller_id must be an id such as usr_…, which POST /auth/register returned'],
    ],
    ['projects.releaseEscrow', '{"escrow_id":7}', ['escrow_id must be an id such as esc_…, which POST /escrow/init returned']],
  ])('422 from %s for %s', async (name, body, errors) => {
    expect(await call(name, { body })).toEqual({ status: 422, body: refusal(errors) });
    expect(server.state.runs).toBe(0);
  });

  it('400 for a public key that is too long', async () => {
    const response = await call('accounts.connectWallet', { body: JSON.stringify({ public_key: 'G'.repeat(300) }) });
    expect(response).toEqual({ status: 400, body: envelope(400, 'Invalid public key format.') });
  });

  it.each([
    ['projects.initEscrow', init({ project_id: 'ord_1' }), 'This project does not exist.'],
    ['projects.initEscrow', init({ seller_id: 'usr_\u0000' }), 'This user does not exist.'],
    ['projects.releaseEscrow', '{"escrow_id":""}', 'This escrow does not exist.'],
  ])('404 from %s for %s', async (name, body, message) => {
    expect(await call(name, { body })).toEqual({ status: 404, body: envelope(404, message) });
  });

  it('200 for null in optional fields', async () => {
    expect(await call('projects.create', { body: project({ description: null, currency: null }) })).toMatchObject({
      status: 200,
    });
  });
});

describe('the id of PATCH /projects/{id}', () => {
  it.each(['prj', 'ord_1', `prj_${'1'.repeat(65)}`, 'prj_%00', '%'])('404 for %s', async (id) => {
    const { status, body } = await server.send(`/projects/${id}`, { method: 'PATCH', body: '{"status":"canceled"}' });
    expect({ status, body }).toEqual({ status: 404, body: envelope(404, 'This project does not exist.') });
  });
});

describe('the query of GET /balances/transactions and GET /projects', () => {
  const page = 'page must be a whole number from 1 to 1000000, such as 2';
  const limit = 'limit must be a whole number from 1 to 100, such as 20';

  it.each([
    ['page=0', [page]],
    ['page=-1', [page]],
    ['page=1000001', [page]],
    ['page=1.5', [page]],
    ['page=x', [page]],
    ['page=', [page]],
    ['page=1e1', [page]],
    ['page=1&page=2', ['page is given more than once']],
    ['limit=0', [limit]],
    ['limit=-1', [limit]],
    ['limit=101', [limit]],
    ['limit=x', [limit]],
    ['page=0&limit=x', [page, limit]],
  ])('422 for %s', async (query, errors) => {
    for (const name of ['accounts.listTransactions', 'projects.list'])
      expect(await call(name, { query: `?${query}` })).toEqual({ status: 422, body: refusal(errors) });
  });

  it.each([
    ['accounts.listTransactions', 'currency=EUR', ['currency must be one of USD, XLM, USDC']],
    ['accounts.listTransactions', `as_of=${'x'.repeat(256)}`, ['as_of must have at most 255 characters']],
    ['accounts.listTransactions', 'asOf=%00', [`asOf ${unstorable}`]],
    ['accounts.listTransactions', 'status=open', ['status is not a known field']],
    ['projects.list', 'status=CLOSED', ['status must be one of open, in_progress, completed, canceled']],
  ])('422 from %s for %s', async (name, query, errors) => {
    expect(await call(name, { query: `?${query}` })).toEqual({ status: 422, body: refusal(errors) });
  });
});
