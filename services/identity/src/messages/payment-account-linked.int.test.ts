import { userPaymentAccountLinked, type Envelope } from '@holdfast/contracts/messages';
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

const linkedAt = '2099-01-31T12:00:00.000000Z';
let published = 0;

function linked(
  userId: string,
  paymentAccountUserId: string,
  marketplaceId: Envelope['marketplaceId'] = defaultMarketplaceId,
): Envelope {
  published += 1;
  const { type, version, aggregateType } = userPaymentAccountLinked;
  return {
    id: `evt_accountlinked${published}`,
    type,
    version,
    aggregateType,
    aggregateId: userId,
    aggregateVersion: 1,
    aggregatePart: 'payments',
    occurredAt: linkedAt,
    marketplaceId,
    correlationId: 'test',
    payload: { userId, paymentAccountUserId, linkedAt },
  };
}

const unhandled = 'select 1 from broker.deliveries';

async function publish(...messages: readonly Envelope[]): Promise<void> {
  for (const message of messages) await identity.broker.publish([message]);
  await eventually(async () => {
    expect(await identity.database.asAdmin(unhandled)).toHaveLength(0);
  });
}

describe('user.payment_account_linked', () => {
  it('sets the payment account of the user once, also when it is delivered twice', async () => {
    const user = await identity.aUser();
    expect(user).toMatchObject({ paymentAccountUserId: null, paymentAccountLinkedAt: null });
    const message = linked(user.id, 'account-1');
    await publish(message, message);
    const shown = { paymentAccountUserId: 'account-1', paymentAccountLinkedAt: linkedAt, updatedAt: linkedAt };
    expect((await identity.get(`/users/${user.id}`)).data).toEqual({ ...user, ...shown });
    expect((await identity.get(`/users?externalUserId=${user.externalUserId}`)).data.data).toEqual([{ ...user, ...shown }]);
  });

  it('does not replace an existing account', async () => {
    const user = await identity.aUser();
    await publish(linked(user.id, 'account-1')); // deliveries have no order, so the second is published after the first is consumed
    await publish(linked(user.id, 'account-2'));
    expect((await identity.get(`/users/${user.id}`)).data).toMatchObject({ paymentAccountUserId: 'account-1' });
  });

  it('does not change a user of another marketplace', async () => {
    const user = await identity.aUser();
    await publish(linked(user.id, 'account-3', 'mkt_other'));
    expect((await identity.get(`/users/${user.id}`)).data).toMatchObject({ paymentAccountUserId: null });
  });

  it('does not increment the published version of the user', async () => {
    const user = await identity.aUser();
    await publish(linked(user.id, 'account-1'));
    await identity.patch(`/users/${user.id}`, { status: 'SUSPENDED' });
    expect(await identity.messagesOf(user.id, 2)).toMatchObject([{ aggregateVersion: 1 }, { aggregateVersion: 2 }]);
  });
});
