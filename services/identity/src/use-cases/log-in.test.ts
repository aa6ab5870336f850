import { hash, verify } from '@node-rs/argon2';
import type { Context } from '@holdfast/kernel/context';
import { silentLog } from '@holdfast/testing/log';
import type { Login } from '../domain/login.js';
import { createPasswords } from '../providers/passwords.js';
import { keySecrets } from '../providers/key-secrets.js';
import { logIn } from './log-in.js';

const at = '2026-01-31T12:00:00.000000Z';
const ctx: Context = {
  requestId: 'test',
  caller: { type: 'anonymous', id: 'anonymous', marketplaceId: 'mkt_default', scopes: [] },
  at,
  log: silentLog,
};

/** Records the parameters of every hash that is computed. */
function countingPasswords() {
  const computed: string[] = [];
  const parametersOf = (text: string): string => text.split('$').slice(0, 4).join('$');
  const passwords = createPasswords({
    hash: async (password, options) => {
      const result = await hash(password, options);
      computed.push(parametersOf(result));
      return result;
    },
    verify: (stored, password) => {
      computed.push(parametersOf(String(stored)));
      return verify(stored, password);
    },
  });
  return { computed, passwords };
}

describe('logIn', () => {
  it('computes one hash with the same parameters for a right, a wrong and an unknown login', async () => {
    const { computed, passwords } = countingPasswords();
    const passwordHash = await passwords.hash('correct horse');
    const login: Login = { userId: 'usr_1', email: 'ada@example.com', name: 'Ada', passwordHash, createdAt: at };
    const deps: Parameters<typeof logIn>[0] = {
      logins: {
        findByEmail: async (email) => (email === login.email ? login : undefined),
        findByUser: async () => login,
      },
      loginAttempts: {
        perAddressMax: 1,
        count: async () => ({ count: 1, windowEndsAt: at }),
        forget: async () => undefined,
        giveBack: async () => undefined,
      },
      onAttempt: () => undefined,
      passwords,
      secrets: keySecrets,
      loginTokens: { sign: () => 'token', verify: () => undefined },
      loginTokenSeconds: 60,
    };
    const attempt = (email: string, password: string) => logIn(deps, { email, password }, ctx);
    expect((await attempt(login.email, 'correct horse')).token).toBe('token');
    const refused = { code: 'UNAUTHORIZED', details: {} };
    await expect(attempt(login.email, 'wrong horse')).rejects.toMatchObject(refused);
    await expect(attempt('unknown@example.com', 'correct horse')).rejects.toMatchObject(refused);
    expect(computed).toEqual(Array.from({ length: 4 }, () => '$argon2id$v=19$m=19456,t=2,p=1'));
  });
});
