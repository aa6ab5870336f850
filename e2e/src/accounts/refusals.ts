import { createHmac } from 'node:crypto';
import { textOf } from '../faults/order-life.js';
import { accountClient } from './client.js';
import { aPerson, aProject, balanceOf, ordersOf, pay, projectOf, type AccountPlatform, type Person } from './person.js';

type Apis = Pick<AccountPlatform, 'baseUrl' | 'api'>;

/** What other people can do with a person's project and escrow. */
export function describeStrangers(platform: () => Apis): void {
  let buyer: Person;
  let other: Person;

  beforeAll(async () => {
    buyer = await aPerson(platform(), 'ada');
    other = await aPerson(platform(), 'grace');
    await platform().api.post(`/users/${buyer.id}/balance/credit`, { amount: '100.00' });
  });

  describe('a project of another person', () => {
    it('404 on every route, as if it did not exist, and it stays as it was', async () => {
      const project_id = await aProject(buyer);
      const payment = { project_id, seller_id: buyer.id, amount: 10, currency: 'USD' };
      const refused = [await pay(other, payment), await other.client.patch(`/projects/${project_id}`, { status: 'canceled' })];
      expect(refused.map(({ status, message }) => [status, message])).toEqual([
        [404, 'This project does not exist.'],
        [404, 'This project does not exist.'],
      ]);
      expect(await projectOf(other, project_id)).toBeUndefined();
      expect(await projectOf(buyer, project_id)).toMatchObject({ status: 'open' });
    });
  });

  describe('an escrow of another person', () => {
    it('401 for its seller and for strangers, 400 for its buyer after the refund', async () => {
      const stranger = await aPerson(platform(), 'mallory');
      const project_id = await aProject(buyer);
      const funded = await pay(buyer, { project_id, seller_id: other.id, amount: 100, currency: 'USD' });
      const body = { escrow_id: textOf(funded.data, 'escrow_id') };
      for (const { client } of [other, stranger])
        expect(await client.post('/escrow/release', body)).toMatchObject({ status: 401, message: 'Only the buyer can release' });
      const [order] = await ordersOf(platform(), buyer);
      const path = `/orders/${order?.id ?? ''}`;
      expect((await platform().api.get(path)).data).toMatchObject({ status: 'IN_PROGRESS' });
      expect((await platform().api.post(`${path}/resolution/refund`, { reason: 'It broke.' })).status).toBe(200);
      expect(await buyer.client.post('/escrow/release', body)).toMatchObject({ status: 400, message: 'Escrow not releasable' });
      expect(await balanceOf(buyer)).toMatchObject({ available: 100, held: 0 });
    });
  });
}

type TokenOptions = {
  readonly platform: () => Pick<AccountPlatform, 'baseUrl'>;
  /** The key that signs the tokens of the installation. */
  readonly tokenKey: () => Buffer;
  /** Keys of the platform API. */
  readonly keys: () => readonly string[];
};

/** Which credentials open the account API, and what its tokens open. */
export function describeTokens({ platform, tokenKey, keys }: TokenOptions): void {
  let buyer: Person;
  let other: Person;

  beforeAll(async () => {
    buyer = await aPerson(platform(), 'ada');
    other = await aPerson(platform(), 'mallory');
  });

  describe('a token', () => {
    const statusWith = async (token: string): Promise<number> =>
      (await accountClient(platform().baseUrl, token).get('/balances')).status;

    it('401 when it is expired, tampered with, or signed by others', async () => {
      const own = { sub: buyer.id };
      expect(await statusWith(signed(buyer.token, own, tokenKey()))).toBe(200);
      const [header = '', claims = '', signature = ''] = buyer.token.split('.');
      const wrong = {
        expired: signed(buyer.token, { exp: 1_700_000_000 }, tokenKey()),
        'for others': signed(buyer.token, { aud: 'holdfast' }, tokenKey()),
        'by others': signed(buyer.token, own, Buffer.alloc(32)),
        'another person': [header, other.token.split('.')[1] ?? '', signature].join('.'),
        unsigned: [encoded({ alg: 'none', typ: 'JWT' }), claims, ''].join('.'),
        'of an unknown user': signed(buyer.token, { sub: 'usr_00000000000000000000000000' }, tokenKey()),
      };
      const statuses = Object.entries(wrong).map(async ([name, token]) => [name, await statusWith(token)]);
      expect(await Promise.all(statuses)).toEqual(Object.keys(wrong).map((name) => [name, 401]));
    });

    it('opens no route of the platform API, and no key of it opens the account API', async () => {
      const { baseUrl } = platform();
      const opened = async (path: string): Promise<number> => {
        const headers = { authorization: `Bearer ${buyer.token}` };
        const response = await fetch(`${baseUrl}${path}`, { headers });
        await response.text();
        return response.status;
      };
      const paths = ['/auth/me', '/orders', '/events', `/users/${buyer.id}`, `/users/${buyer.id}/balance`];
      expect(await Promise.all(paths.map(opened))).toEqual(paths.map(() => 401));
      expect(await Promise.all(keys().map(statusWith))).toEqual(keys().map(() => 401));
    });
  });
}

/** The token with other claims, signed with this key. */
function signed(token: string, claims: object, key: Buffer): string {
  const [header = '', payload = ''] = token.split('.');
  const known = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as object;
  const text = `${header}.${encoded({ ...known, ...claims })}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
