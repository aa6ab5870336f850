import { Account, Keypair, MuxedAccount, StrKey } from '@stellar/stellar-sdk';
import { linkedWalletsMax } from '@holdfast/contracts/http';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { collectingLog } from '@holdfast/testing/log';
import { startCommitProxy } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aWalletTestbed, type RunningWallets, type WalletTestbed } from '../testing/running-wallets.js';

let testbed: WalletTestbed;
let wallets: RunningWallets;
let other: RunningWallets;
const log = collectingLog();

beforeAll(async () => {
  testbed = await aWalletTestbed();
  wallets = await testbed.start({}, { log });
  other = await testbed.start();
}, serverStartTimeoutMs);

afterAll(async () => {
  await testbed.end();
});

const aKey = (): string => Keypair.random().publicKey();

function connect(userId: UserId, body: unknown, by = wallets) {
  return by.post('/wallets/connect', body, { type: 'account', id: userId, scopes: [] });
}

async function linked(userId: UserId, publicKey: string) {
  const { status, data } = await connect(userId, { public_key: publicKey });
  expect(status).toBe(200);
  return data;
}

function published(userId: UserId, type: string) {
  return testbed.published.filter(
    (message) => message.aggregatePart === 'linked-wallets' && message.aggregateId === userId && message.type === type,
  );
}

/** In the order of their versions. */
function addressesPublished(userId: UserId): readonly unknown[] {
  const events = published(userId, 'user.ledger_linked').toSorted((one, next) => one.aggregateVersion - next.aggregateVersion);
  return events.map(({ payload }) => (payload as Readonly<Record<string, unknown>>)['ledgerAddress']);
}

type Link = { readonly id: string; readonly publicKey: string; readonly isPrimary: boolean };

function linksOf(userId: UserId): Promise<readonly Link[]> {
  const select = `
    select id, public_key as "publicKey", is_primary as "isPrimary"
    from escrow_adapter.linked_wallets
    where user_id = $1
    order by connected_at, id`;
  return testbed.database.asAdmin<Link>(select, [userId]);
}

async function primariesOf(userId: UserId): Promise<readonly string[]> {
  return (await linksOf(userId)).filter(({ isPrimary }) => isPrimary).map(({ publicKey }) => publicKey);
}

describe('POST /wallets/connect', () => {
  it('200 links the wallet of a user that this service does not know yet, with one event and one audit entry', async () => {
    const [userId, publicKey] = [testbed.newUserId(), aKey()];
    const { status, body } = await connect(userId, { public_key: publicKey });
    const data = { wallet_id: expect.stringMatching(/^wal_/), public_key: publicKey, connected_at: expect.stringMatching(/Z$/) };
    expect([status, body]).toEqual([200, { code: 200, type: 'success', ok: true, message: 'Wallet connected', data }]);
    const { wallet_id: id, connected_at: linkedAt } = body.data as Readonly<Record<string, string>>;
    expect(await linksOf(userId)).toEqual([{ id, publicKey, isPrimary: true }]);
    const payload = { userId, ledgerAddress: publicKey, walletType: 'EXTERNAL', linkedAt };
    const event = { aggregateVersion: 1, marketplaceId: defaultMarketplaceId, payload };
    await eventually(() => expect(published(userId, 'user.ledger_linked')).toMatchObject([event]));
    await eventually(() => expect(published(userId, 'audit.recorded')).toHaveLength(1));
    expect(published(userId, 'audit.recorded')).toMatchObject([
      {
        afterEventId: published(userId, 'user.ledger_linked')[0]?.id,
        payload: {
          action: 'WALLET_LINKED',
          resourceType: 'Wallet',
          resourceId: id,
          relatedIds: [userId],
          actorType: 'account',
          actorId: userId,
          after: { userId, ledgerAddress: publicKey, walletType: 'EXTERNAL', isPrimary: true },
        },
      },
    ]);
  });

  it('200 makes the newest primary; a key that is linked already keeps its link and is published once', async () => {
    const [userId, first, second] = [testbed.newUserId(), aKey(), aKey()];
    const link = await linked(userId, first);
    await linked(userId, second);
    expect(await primariesOf(userId)).toEqual([second]);
    expect([await linked(userId, first), await linked(userId, first)]).toEqual([link, link]);
    expect(await primariesOf(userId)).toEqual([first]);
    expect(await linksOf(userId)).toHaveLength(2);
    await eventually(() => expect(published(userId, 'audit.recorded')).toHaveLength(3));
    expect(published(userId, 'audit.recorded').map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({
        action: 'WALLET_MADE_PRIMARY',
        resourceId: link.wallet_id,
        before: { isPrimary: false },
        after: { isPrimary: true },
      }),
    );
    await eventually(() => expect(addressesPublished(userId)).toEqual([first, second]));
  });

  it('200 for a key that another account has linked: each has its own link', async () => {
    const [one, another, publicKey] = [testbed.newUserId(), testbed.newUserId(), aKey()];
    const [first, second] = [await linked(one, publicKey), await linked(another, publicKey)];
    expect(first.wallet_id).not.toBe(second.wallet_id);
    expect([await primariesOf(one), await primariesOf(another)]).toEqual([[publicKey], [publicKey]]);
  });

  it('200 for a suspended user, because linking moves no money', async () => {
    const userId = testbed.newUserId();
    await linked(userId, aKey());
    await testbed.database.asAdmin(`update escrow_adapter.users set status = 'SUSPENDED' where id = $1`, [userId]);
    await linked(userId, aKey());
  });

  it('200 with one link and one event for concurrent requests with the same key in two processes', async () => {
    const [userId, publicKey] = [testbed.newUserId(), aKey()];
    const requests = Array.from({ length: 12 }, (_, index) =>
      connect(userId, { public_key: publicKey }, index % 2 === 0 ? wallets : other),
    );
    const responses = await Promise.all(requests);
    expect(new Set(responses.map(({ status, data }) => `${status} ${data.wallet_id}`)).size).toBe(1);
    expect(await linksOf(userId)).toHaveLength(1);
    const last = await linked(userId, aKey());
    await eventually(() => expect(addressesPublished(userId)).toEqual([publicKey, last.public_key]));
  });

  it('422 beyond the limit, also for concurrent requests with different keys; one link is primary', async () => {
    const userId = testbed.newUserId();
    const keys = Array.from({ length: linkedWalletsMax + 5 }, aKey);
    const responses = await Promise.all(
      keys.map((publicKey, index) => connect(userId, { public_key: publicKey }, index % 2 === 0 ? wallets : other)),
    );
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body])).toMatchObject(
      Array.from({ length: 5 }, () => [
        422,
        { code: 422, ok: false, message: 'An account can link at most 20 wallets.', data: null },
      ]),
    );
    const [known] = await linksOf(userId);
    expect(await linksOf(userId)).toHaveLength(linkedWalletsMax);
    expect(await primariesOf(userId)).toHaveLength(1);
    await linked(userId, known?.publicKey ?? '');
    expect(await primariesOf(userId)).toEqual([known?.publicKey]);
    const linkedKeys = (await linksOf(userId)).map(({ publicKey }) => publicKey);
    await eventually(() => expect(addressesPublished(userId).toSorted()).toEqual(linkedKeys.toSorted()));
  });

  it('503 when the response to the COMMIT is lost; the repeated request returns the one link, and the event is published', async () => {
    const [userId, publicKey] = [testbed.newUserId(), aKey()];
    const proxy = await startCommitProxy(testbed.database.adminUrl);
    const cutOff = await testbed.start({}, { adminUrl: proxy.url });
    proxy.setFault('lose-response');
    const { status, body } = await connect(userId, { public_key: publicKey }, cutOff);
    proxy.setFault('none');
    expect([status, body]).toMatchObject([503, { code: 503, ok: false, data: null }]);
    const { wallet_id: id } = await linked(userId, publicKey);
    expect(await linksOf(userId)).toEqual([{ id, publicKey, isPrimary: true }]);
    await cutOff.stop();
    await proxy.close();
    // Another process publishes the event once the lease on its row has expired.
    await testbed.database.asAdmin('update escrow_adapter.outbox set available_at = now()');
    await eventually(() => expect(addressesPublished(userId)).toEqual([publicKey]));
  });
});

describe('a linked wallet', () => {
  it('does not replace the wallet that the platform holds: balances, deposits and roles keep its address', async () => {
    const userId = testbed.newUserId();
    const { public_key: publicKey } = await linked(userId, aKey());
    const { data: wallet } = await wallets.get(`/users/${userId}/wallet`);
    const { data: deposit } = await wallets.get(`/users/${userId}/wallet/deposit`);
    expect(wallet).toMatchObject({ type: 'INVISIBLE', isPrimary: true });
    expect(wallet.publicKey).not.toBe(publicKey);
    expect([deposit.address, await wallets.activeAddressOf(userId)]).toEqual([wallet.publicKey, wallet.publicKey]);
    expect(await wallets.module.wallets.addressesAt('wallet', userId)).toEqual([wallet.publicKey]);
    expect(await wallets.module.wallets.isOwnAddress(publicKey)).toBe(false);
  });
});

describe('POST /wallets/connect with bad input', () => {
  const key = aKey();
  const secret = Keypair.random().secret();

  it.each([
    ['a muxed account', new MuxedAccount(new Account(key, '0'), '7').accountId()],
    ['a contract', StrKey.encodeContract(Buffer.alloc(32, 7))],
    ['a secret key', secret],
    ['lower case', key.toLowerCase()],
    ['a space before it', ` ${key}`],
    ['a space after it', `${key} `],
    ['a line break after it', `${key}\n`],
    ['a wrong checksum', `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`],
    ['another character in the middle', `${key.slice(0, 20)}${key[20] === 'A' ? 'B' : 'A'}${key.slice(21)}`],
    ['a digit outside of the alphabet', `${key.slice(0, -1)}1`],
    ['one character less', key.slice(0, -1)],
    ['one character more', `${key}A`],
    ['padding', `${key}=`],
    ['a letter that looks alike', `\u0397${key.slice(1)}`],
    ['NUL', '\u0000'.repeat(56)],
    ['an unpaired surrogate', '\ud800'],
    ['nothing', ''],
    ['a word', 'wallet'],
    ['a very long text', 'G'.repeat(10_000)],
  ])('400 Invalid public key format for %s', async (_, publicKey) => {
    const userId = testbed.newUserId();
    const { status, body } = await connect(userId, { public_key: publicKey });
    expect([status, body]).toMatchObject([
      400,
      { code: 400, type: 'error', ok: false, message: 'Invalid public key format.', data: null },
    ]);
    expect(await linksOf(userId)).toEqual([]);
    if (publicKey.length > 10) expect(JSON.stringify(body)).not.toContain(publicKey);
  });

  it.each<[string, unknown]>([
    ['no field', {}],
    ['null', { public_key: null }],
    ['a number', { public_key: 7 }],
    ['a list', { public_key: [key] }],
    ['an unknown field', { public_key: key, user_id: 'usr_1' }],
    ['both spellings', { public_key: key, publicKey: key }],
    ['no object', [key]],
  ])('422 for %s', async (_, body) => {
    const response = await connect(testbed.newUserId(), body);
    expect([response.status, response.body]).toMatchObject([
      422,
      { code: 422, ok: false, data: null, errors: [expect.any(String)] },
    ]);
  });

  it('422 for every address of the platform and its users', async () => {
    const userId = testbed.newUserId();
    const { data: own } = await wallets.get(`/users/${userId}/wallet`);
    const { data: foreign } = await wallets.get(`/users/${testbed.newUserId()}/wallet`);
    for (const address of [...testbed.platformAddresses().keys(), own.publicKey, foreign.publicKey]) {
      const { status, body } = await connect(userId, { public_key: address });
      expect([status, body]).toMatchObject([422, { errors: ['public_key must not be an address of the platform'] }]);
    }
    expect(await linksOf(userId)).toEqual([]);
  });

  it('401 for a caller without an account', async () => {
    const { status, body } = await wallets.post('/wallets/connect', { public_key: aKey() });
    expect([status, body]).toMatchObject([401, { code: 401, ok: false, data: null }]);
  });

  it('does not log a secret key', async () => {
    const another = Keypair.random().secret();
    await connect(testbed.newUserId(), { public_key: another });
    await eventually(() => expect(log.lines.filter(({ fields }) => fields['code'] === 'INVALID_PUBLIC_KEY')).not.toEqual([]));
    expect(JSON.stringify(log.lines)).not.toContain(another);
    expect(JSON.stringify(log.lines)).not.toContain(secret);
  });
});
