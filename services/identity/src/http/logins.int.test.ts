import { hash } from 'node:crypto';
import type { AccountUserView } from '@holdfast/contracts/http';
import { pruneLoginAttempts } from '../store/login-attempts.js';
import { identityMigrations, startIdentity, type Person, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;

/** Few, because each attempt computes a hash that is slow on purpose; more than the ten of one login from one address. */
const perAddressMax = 12;
const windowMs = 900_000;

beforeAll(async () => {
  identity = await startIdentity({ env: { LOGIN_ATTEMPTS_PER_ADDRESS_MAX: String(perAddressMax) } });
});

afterAll(async () => {
  await identity.stop();
});

let addresses = 0;

/** Tests share the limits of an address only where they want to. */
function anAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

type Attempt = { readonly email: string; readonly password: string };

function register(body: unknown, clientAddress = anAddress()) {
  return identity.people.post('/auth/register', body, { clientAddress });
}

function logIn({ email, password }: Attempt, clientAddress = anAddress()) {
  return identity.people.post('/auth/login', { email, password }, { clientAddress });
}

function times<T>(count: number, act: () => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: count }, act));
}

function withStatus(responses: readonly { readonly status: number }[], wanted: number): number {
  return responses.filter(({ status }) => status === wanted).length;
}

const wrong = ({ email }: Person): Attempt => ({ email, password: 'not the password' });

describe('POST /auth/register', () => {
  it('200 creates a user of the default marketplace with its login, and publishes user.created once', async () => {
    const { status, body } = await register({ email: 'Ada.L@Example.COM', password: 'correct horse', name: 'Ada' });
    const { id } = body.data as AccountUserView;
    expect([status, body]).toEqual([
      200,
      {
        code: 200,
        type: 'success',
        ok: true,
        message: 'Registered',
        data: {
          id: expect.stringMatching(/^usr_/) as string,
          email: 'ada.l@example.com',
          name: 'Ada',
          token: expect.any(String) as string,
        },
      },
    ]);
    const user = { id, externalUserId: id, email: 'ada.l@example.com', type: 'BOTH', status: 'ACTIVE' };
    expect((await identity.get(`/users/${id}`)).data).toMatchObject(user);
    const elsewhere = { marketplaceId: await identity.aMarketplace() };
    expect((await identity.get(`/users/${id}`, elsewhere)).code).toBe('USER_NOT_FOUND');
    const messages = await identity.messagesOf(id, 1);
    expect(messages).toMatchObject([{ type: 'user.created', marketplaceId: 'mkt_default', payload: { externalUserId: id } }]);
    const [audit] = await identity.auditsOf(id, 1);
    expect(audit?.payload).toMatchObject({ action: 'USER_CREATED', actorType: 'account', actorId: id, before: null });
    expect(JSON.stringify([messages, audit])).not.toMatch(/correct horse|argon2|password/i);
  });

  it('422 for an address that is registered; of concurrent registrations exactly one succeeds', async () => {
    const body = { email: 'Same@example.com', password: 'correct horse', name: 'One of many' };
    const responses = await times(8, () => register(body));
    expect([withStatus(responses, 200), withStatus(responses, 422)]).toEqual([1, 7]);
    const again = await register({ ...body, email: 'sAME@EXAMPLE.com', password: 'another password' });
    expect([again.status, again.body]).toEqual([
      422,
      expect.objectContaining({ code: 422, ok: false, data: null, errors: ['email is already registered'] }),
    ]);
    const users = await identity.database.asAdmin("select id from identity.users where email = 'same@example.com'");
    const { id } = responses.find(({ status }) => status === 200)?.data as AccountUserView;
    expect(users).toEqual([{ id }]);
    // Also the response to a person whose first registration got no response: it is refused, and the login works.
    expect((await logIn(body)).data).toMatchObject({ user: { id } });
  });

  it.each([
    ['seven characters of four bytes', { password: '💶'.repeat(7) }, 'password must have at least 8 characters'],
    ['spaces alone', { password: ' '.repeat(8) }, 'password must have at least 8 characters'],
    ['half a character', { password: 'half of it \ud83d' }, 'password must not contain NUL or incomplete characters'],
    ['a space before the address', { email: ' ada@example.com' }, 'email must be an e-mail address'],
  ])('422 for %s', async (_, given, fault) => {
    const valid = { email: 'refused@example.com', password: 'correct horse', name: 'Ada' };
    const { status, body } = await register({ ...valid, ...given });
    expect([status, body.errors]).toEqual([422, [fault]]);
  });

  it('200 keeps every character of a password, whichever way a letter is composed', async () => {
    for (const password of ['💶'.repeat(8), '💶'.repeat(128), '  spaces around  ', 'Zoe\u0308 Cafe\u0301']) {
      const person = await identity.aPerson({ password });
      expect((await logIn({ ...person, password: password.normalize('NFC') })).status).toBe(200);
      for (const other of [password.slice(0, -1), `${password} `]) {
        expect((await logIn({ ...person, password: other })).status).toBe(401);
      }
    }
  });

  it('200 for the e-mail address of a user of the platform API, which is not a login and stays apart', async () => {
    const email = 'customer@example.com';
    const customer = await identity.aUser({ email });
    expect((await logIn({ email, password: 'correct horse' })).status).toBe(401);
    const person = await identity.aPerson({ email });
    expect(person.id).not.toBe(customer.id);
    await identity.patch(`/users/${person.id}`, { email: 'changed@example.com' });
    expect((await logIn(person)).data).toMatchObject({ user: { id: person.id, email } });
    expect((await logIn({ ...person, email: 'changed@example.com' })).status).toBe(401);
  });

  it('429 with Retry-After beyond the limit of an address, also for concurrent ones, until the window ends', async () => {
    const address = anAddress();
    const body = { email: 'taken@example.com', password: 'correct horse', name: 'Ada' };
    const responses = await times(perAddressMax + 5, () => register(body, address));
    expect([withStatus(responses, 429), withStatus(responses, 200)]).toEqual([5, 1]);
    const limited = responses.find(({ status }) => status === 429);
    expect(limited?.body).toMatchObject({ code: 429, type: 'error', ok: false, data: null });
    expect(Number(limited?.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(limited?.headers['retry-after'])).toBeLessThanOrEqual(windowMs / 1_000);
    expect((await register({ ...body, email: 'elsewhere@example.com' })).status).toBe(200);
    identity.moveClock(windowMs);
    expect((await register({ ...body, email: 'later@example.com' }, address)).status).toBe(200);
  });
});

describe('POST /auth/login', () => {
  it('200 with a token of the login, for any spelling of the address', async () => {
    const { id, email, name, password } = await identity.aPerson();
    const { status, body } = await logIn({ email: email.toUpperCase(), password });
    const { token, user } = body.data as { readonly token: string; readonly user: object };
    expect([status, body.message, user]).toEqual([200, 'Logged in', { id, email, name }]);
    expect(await identity.verify(token)).toMatchObject({ type: 'account', id });
  });

  it('401 with the same response for an unknown address and a wrong password', async () => {
    const person = await identity.aPerson();
    const attempts = [wrong(person), { ...person, email: 'unknown@example.com' }, { ...person, email: 'no address' }];
    const responses = await Promise.all(attempts.map((attempt) => logIn(attempt)));
    for (const { status, body } of responses) {
      expect(status).toBe(401);
      expect(body).toEqual({ code: 401, type: 'error', ok: false, message: 'Invalid email or password', data: null });
    }
  });

  it('200 for a suspended user, whose token stays valid', async () => {
    const person = await identity.aPerson();
    await identity.patch(`/users/${person.id}`, { status: 'SUSPENDED' });
    const { status, data } = await logIn(person);
    expect(status).toBe(200);
    for (const token of [person.token, data.token as string])
      expect(await identity.verify(token)).toMatchObject({ id: person.id });
  });

  it('429 after ten attempts from an address, concurrent ones included; the owner can log in from elsewhere', async () => {
    const [person, address] = [await identity.aPerson(), anAddress()];
    const unknown = { email: 'nobody@example.com', password: 'not the password' };
    for (const attempt of [wrong(person), unknown]) {
      const from = attempt === unknown ? anAddress() : address;
      const responses = await times(perAddressMax, () => logIn(attempt, from));
      expect([withStatus(responses, 401), withStatus(responses, 429)]).toEqual([10, perAddressMax - 10]);
    }
    const limited = await logIn(person, address);
    expect(limited.status).toBe(429);
    expect((await logIn(person)).status).toBe(200);
    identity.moveClock(windowMs);
    expect((await logIn(person, address)).status).toBe(200);
  });

  it('429 after a hundred attempts from many addresses, until the window ends', async () => {
    const person = await identity.aPerson();
    const address = anAddress();
    await times(perAddressMax, () => logIn(wrong(person), address));
    const subject = hash('sha256', `logins to ${person.email}`);
    const counted = await identity.database.asAdmin('select count from identity.login_attempts where subject = $1', [subject]);
    expect(counted).toEqual([{ count: 10 }]);
    await identity.database.asAdmin('update identity.login_attempts set count = 99 where subject = $1', [subject]);
    expect((await logIn(wrong(person))).status).toBe(401);
    expect((await logIn(person)).status).toBe(429);
    identity.moveClock(windowMs);
    expect((await logIn(person)).status).toBe(200);
  });

  it('success resets the attempts with its login, not the attempts of its address', async () => {
    const [person, other, address] = [await identity.aPerson(), await identity.aPerson(), anAddress()];
    const earlier = await times(5, () => logIn(wrong(person), address));
    expect((await logIn(person, address)).status).toBe(200);
    const later = await times(6, () => logIn(wrong(person), address));
    expect(withStatus([...earlier, ...later], 401)).toBe(11);
    // It is not counted itself, so that many people can share an address: this is the last of twelve.
    expect((await logIn(other, address)).status).toBe(200);
    expect((await logIn(wrong(other), address)).status).toBe(401);
    expect((await logIn(other, address)).status).toBe(429);
  });
});

describe('attempts', () => {
  it('are deleted once their window has ended', async () => {
    const database = await identity.database.open({ service: 'identity', migrations: identityMigrations });
    const counts = () => identity.database.asAdmin('select subject from identity.login_attempts');
    await logIn({ email: 'nobody@example.com', password: 'not the password' });
    const { signal } = new AbortController();
    await pruneLoginAttempts(database, identity.clock.now(), signal);
    expect(await counts()).not.toEqual([]);
    identity.moveClock(windowMs);
    await pruneLoginAttempts(database, identity.clock.now(), signal);
    expect(await counts()).toEqual([]);
  });

  it('are counted by outcome, and leave no address, password or token in the log and the table', async () => {
    const person = await identity.aPerson();
    await logIn(person);
    await logIn(wrong(person));
    const metrics = await identity.metrics.registry.metrics();
    for (const outcome of ['succeeded', 'refused', 'address_limited', 'login_limited']) {
      expect(metrics).toMatch(new RegExp(`holdfast_login_attempts_total\\{action="login",outcome="${outcome}".*\\} [1-9]`));
    }
    for (const outcome of ['succeeded', 'refused', 'address_limited']) {
      expect(metrics).toMatch(
        new RegExp(`holdfast_login_attempts_total\\{action="registration",outcome="${outcome}".*\\} [1-9]`),
      );
    }
    const kept = await identity.database.asAdmin('select * from identity.login_attempts');
    const { lines } = identity.log;
    expect(lines.filter(({ fields }) => fields['userId'] === person.id).map(({ fact }) => fact)).toEqual([
      'login registered',
      'logged in',
    ]);
    const text = JSON.stringify([kept, lines]);
    for (const secret of [person.email, person.password, person.token]) expect(text).not.toContain(secret);
  });
});
