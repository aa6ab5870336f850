import type { Context } from '@holdfast/kernel/context';
import type { Envelope, Payload, userCreated } from '@holdfast/contracts/messages';
import { AppError } from '@holdfast/kernel/errors';
import { idFactory, type UserId } from '@holdfast/kernel/ids';
import { messagingMigrations } from '@holdfast/messaging/outbox';
import type { ServiceClient } from '@holdfast/http/service-client';
import { manualClock } from '@holdfast/testing/clock';
import { silentLog } from '@holdfast/testing/log';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { knownUsers, type KnownUsers } from './known-users.js';

const clock = manualClock();
const newId = idFactory(clock.epochMs);
const usersTable = `create table users (
  id text primary key, marketplace_id text not null, type text not null, status text not null,
  version bigint not null, received_at timestamptz not null);`;

let server: TestDatabase;
let users: KnownUsers;
let requests = 0;
let atIdentity = new Map<string, 'ACTIVE' | 'SUSPENDED'>();

const identity = {
  call: (_route: unknown, { params }: { params: { id: UserId } }) => {
    requests += 1;
    const status = atIdentity.get(params.id);
    if (status === undefined) return Promise.reject(new AppError('USER_NOT_FOUND'));
    return Promise.resolve({ id: params.id, marketplaceId: 'mkt_1', type: 'BOTH', status, version: 1 });
  },
} as unknown as Pick<ServiceClient, 'call'>;

beforeAll(async () => {
  server = await testDatabase();
  const own = server.migrations({ '0001-users.sql': usersTable });
  const database = await server.open({ service: 'orders', migrations: [messagingMigrations, own] });
  users = knownUsers({ service: 'orders', database, identity, clock });
}, serverStartTimeoutMs);

beforeEach(() => {
  requests = 0;
  atIdentity = new Map();
});

afterAll(async () => {
  await server.drop();
});

const ctx = { at: clock.now(), log: silentLog } as unknown as Context;

function userChangedMessage(
  userId: UserId,
  status: 'ACTIVE' | 'SUSPENDED',
  version: number,
): Envelope<Payload<typeof userCreated>> {
  return {
    id: newId('evt'),
    type: 'user.changed',
    version: 1,
    occurredAt: clock.now(),
    aggregateType: 'User',
    aggregateId: userId,
    aggregateVersion: version,
    marketplaceId: 'mkt_1',
    correlationId: 'test',
    payload: { userId, externalUserId: userId, type: 'BOTH', status },
  };
}

const lookup = (userId: UserId) => ({ marketplaceId: 'mkt_1', userId, requestId: 'test' }) as const;

describe('known users', () => {
  it('are stored from messages, and an older version never overwrites a newer one', async () => {
    const userId = newId('usr');
    await users.handleUserChanged(userChangedMessage(userId, 'SUSPENDED', 3), ctx);
    await users.handleUserChanged(userChangedMessage(userId, 'ACTIVE', 2), ctx);
    expect(await users.require(lookup(userId))).toMatchObject({ status: 'SUSPENDED', version: 3 });
    expect(await users.knownVersion(userId)).toBe(3);
    expect(requests).toBe(0);
  });

  it('are fetched from identity when unknown and then stored; users that do not exist are fetched each time', async () => {
    const [known, unknown] = [newId('usr'), newId('usr')];
    atIdentity.set(known, 'ACTIVE');
    expect(await users.require(lookup(known))).toMatchObject({ id: known, status: 'ACTIVE' });
    await users.require(lookup(known));
    expect(requests).toBe(1);
    await expect(users.require(lookup(unknown))).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    await expect(users.require(lookup(unknown))).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    expect(requests).toBe(3);
  });

  it('are not found in another marketplace', async () => {
    const userId = newId('usr');
    await users.handleUserChanged(userChangedMessage(userId, 'ACTIVE', 1), ctx);
    const elsewhere = { ...lookup(userId), marketplaceId: 'mkt_2' } as const;
    await expect(users.require(elsewhere)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    expect(await users.knownVersion(newId('usr'))).toBe(0);
  });
});
