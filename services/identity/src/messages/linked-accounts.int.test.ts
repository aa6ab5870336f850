import { userLedgerLinked, userPaymentAccountLinked, type Envelope } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { startIdentity, type RunningIdentity } from '../testing/running-identity.js';

let identity: RunningIdentity;

beforeAll(async () => {
  identity = await startIdentity();
});

afterAll(async () => {
  await identity.stop();
});

const unhandled = 'select 1 from broker.deliveries';

/** Resolves when the message has been handled. */
async function publish(message: Envelope): Promise<void> {
  await identity.broker.publish([message]);
  await eventually(async () => {
    expect(await identity.database.asAdmin(unhandled)).toHaveLength(0);
  });
}

const linkedAt = '2099-01-31T12:00:00.000000Z' as const;
let published = 0;

const kinds = [
  {
    declaration: userLedgerLinked,
    aggregatePart: 'wallet',
    account: 'ledgerAddress',
    since: 'ledgerLinkedAt',
    more: { walletType: 'INVISIBLE' },
  },
  {
    declaration: userPaymentAccountLinked,
    aggregatePart: 'payments',
    account: 'paymentAccountUserId',
    since: 'paymentAccountLinkedAt',
    more: {},
  },
] as const;

describe.each(kinds)('$declaration.type', ({ declaration, aggregatePart, account, since, more }) => {
  const { type, version, aggregateType } = declaration;

  function linked(userId: string, accountId: string, marketplaceId: Envelope['marketplaceId'] = defaultMarketplaceId): Envelope {
    published += 1;
    return {
      id: `evt_linked${published}`,
      type,
      version,
      aggregateType,
      aggregateId: userId,
      aggregateVersion: 1,
      aggregatePart,
      occurredAt: linkedAt,
      marketplaceId,
      correlationId: 'test',
      payload: { userId, [account]: accountId, ...more, linkedAt },
    };
  }

  it('sets the account of the user once, also when it is delivered twice', async () => {
    const user = await identity.aUser();
    expect(user).toMatchObject({ [account]: null, [since]: null });
    const message = linked(user.id, 'first');
    await publish(message);
    await publish(message);
    const shown = { [account]: 'first', [since]: linkedAt, updatedAt: linkedAt };
    expect((await identity.get(`/users/${user.id}`)).data).toEqual({ ...user, ...shown });
    expect((await identity.get(`/users?externalUserId=${user.externalUserId}`)).data.data).toEqual([{ ...user, ...shown }]);
  });

  it('does not replace an existing account', async () => {
    const user = await identity.aUser();
    await publish(linked(user.id, 'first')); // deliveries have no order, so the second is published after the first is consumed
    await publish(linked(user.id, 'second'));
    expect((await identity.get(`/users/${user.id}`)).data).toMatchObject({ [account]: 'first' });
  });

  it('does not change a user of another marketplace', async () => {
    const user = await identity.aUser();
    await publish(linked(user.id, 'foreign', 'mkt_other'));
    expect((await identity.get(`/users/${user.id}`)).data).toMatchObject({ [account]: null });
  });

  it('does not increment the published version of the user', async () => {
    const user = await identity.aUser();
    await publish(linked(user.id, 'first'));
    await identity.patch(`/users/${user.id}`, { status: 'SUSPENDED' });
    expect(await identity.messagesOf(user.id, 2)).toMatchObject([{ aggregateVersion: 1 }, { aggregateVersion: 2 }]);
  });
});

describe('user.ledger_linked for a wallet whose key the user holds', () => {
  it('does not change the address of the user, even if it comes before the address of the server-held wallet', async () => {
    const user = await identity.aUser();
    const { type, version, aggregateType } = userLedgerLinked;
    const linked = (ledgerAddress: string, walletType: string): Envelope => ({
      id: `evt_${ledgerAddress}`,
      type,
      version,
      aggregateType,
      aggregateId: user.id,
      aggregateVersion: 1,
      occurredAt: linkedAt,
      marketplaceId: defaultMarketplaceId,
      correlationId: 'test',
      payload: { userId: user.id, ledgerAddress, walletType, linkedAt },
    });
    await publish(linked('external', 'EXTERNAL'));
    expect((await identity.get(`/users/${user.id}`)).data).toEqual(user);
    await publish(linked('held', 'INVISIBLE'));
    expect((await identity.get(`/users/${user.id}`)).data).toMatchObject({ ledgerAddress: 'held' });
  });
});
