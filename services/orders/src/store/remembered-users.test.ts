import type { KnownUser } from '@holdfast/shared/known-users';
import { rememberUsers } from './remembered-users.js';

function aUser(id: `usr_${string}`, given: Partial<KnownUser> = {}): KnownUser {
  const heardAt = '2026-01-31T12:00:00.000000Z';
  return { id, marketplaceId: 'mkt_1', type: 'BOTH', status: 'ACTIVE', version: 1, heardAt, ...given };
}

describe('remembered users', () => {
  it('are found together or not at all, as they were kept last, and by their own marketplace', () => {
    const users = rememberUsers();
    users.keep([aUser('usr_1'), aUser('usr_2')]);
    users.keep([aUser('usr_2', { version: 2 })]);
    expect(users.find('mkt_1', ['usr_1', 'usr_2'])).toEqual([aUser('usr_1'), aUser('usr_2', { version: 2 })]);
    expect(users.find('mkt_1', ['usr_1', 'usr_3'])).toBeUndefined();
    expect(users.find('mkt_2', ['usr_1', 'usr_2'])).toBeUndefined();
  });

  it('make room for newer ones, and can be forgotten', () => {
    const users = rememberUsers();
    users.keep(Array.from({ length: 10_001 }, (_, number) => aUser(`usr_${number}`)));
    expect(users.find('mkt_1', ['usr_0'])).toBeUndefined();
    expect(users.find('mkt_1', ['usr_5001', 'usr_10000'])).toBeDefined();
    users.forget();
    expect(users.find('mkt_1', ['usr_10000'])).toBeUndefined();
  });
});
