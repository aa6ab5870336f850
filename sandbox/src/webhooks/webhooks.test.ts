import { createHmac } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@holdfast/testing/eventually';
import { approve, createParties, complete, fund, fundedEscrow, multiRelease, singleRelease } from '../testing/parties.js';
import { runSandbox } from '../testing/running-sandbox.js';
import { aPayin, aPayout } from '../testing/payments.js';
import { startReceiver, type Received } from '../testing/webhook-receiver.js';

const escrowSecret = 'esc_whsec_test';
const paymentKey = Buffer.from('a key of enough bytes');
const paymentSecret = `whsec_${paymentKey.toString('base64')}`;

const eventsOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body));

describe('webhooks of the escrow provider', () => {
  it('are sent for each step of an escrow, signed, with the transaction hash', async () => {
    const receiver = await startReceiver();
    const sandbox = await runSandbox({ webhooks: { gatewayUrl: receiver.url, escrowSecret } });
    const parties = await createParties(sandbox);
    const { body } = await sandbox.write('/deployer/single-release', singleRelease(sandbox, parties), parties.buyer);
    const contractId = String(body.contractId);
    const types = () => eventsOf(receiver.received).map(({ type }) => type);
    const steps: readonly [string, () => Promise<unknown>][] = [
      ['escrow.funding_started', () => fund(sandbox, parties, contractId, 40)],
      ['escrow.funded', () => fund(sandbox, parties, contractId, 60)],
      ['escrow.milestone_completed', () => complete(sandbox, parties, contractId)],
      [
        'escrow.released',
        async () => {
          await approve(sandbox, parties, contractId);
          const release = { contractId, releaseSigner: parties.buyer.publicKey() };
          await sandbox.write('/escrow/single-release/release-funds', release, parties.buyer);
        },
      ],
    ];
    await eventually(() => expect(types()).toEqual(['escrow.created']));
    for (const [type, step] of steps) {
      await step();
      await eventually(() => expect(types().at(-1)).toBe(type));
    }

    const last = receiver.received.at(-1);
    const event = eventsOf(receiver.received).at(-1);
    expect(last?.path).toBe('/webhooks/escrow-provider');
    expect(last?.headers['x-escrow-signature']).toBe(
      createHmac('sha256', escrowSecret)
        .update(last?.body ?? '')
        .digest('hex'),
    );
    expect(event.data).toMatchObject({
      contract_id: contractId,
      order_id: 'ord_1',
      status: 'RELEASED',
      amount: '1000000000',
      currency: 'USDC',
      buyer_address: parties.buyer.publicKey(),
      seller_address: parties.seller.publicKey(),
      milestone_ref: null,
    });
    const landed = await sandbox.horizon.transactions().transaction(event.data.transaction_hash).call();
    expect(landed.successful).toBe(true);
    expect(new Set(eventsOf(receiver.received).map(({ event_id: id }) => id)).size).toBe(5);
    await eventually(async () => expect((await sandbox.control('GET', '/state')).body.pendingWebhooks).toBe(0));
    await sandbox.close();
    await receiver.stop();
  });

  it('distinguish a refund from a split', async () => {
    const receiver = await startReceiver();
    const sandbox = await runSandbox({ webhooks: { gatewayUrl: receiver.url } });
    const parties = await createParties(sandbox);
    const [buyer, seller] = [parties.buyer.publicKey(), parties.seller.publicKey()];
    const resolve = async (distributions: unknown): Promise<void> => {
      const contractId = await fundedEscrow(sandbox, parties);
      await sandbox.write('/escrow/single-release/dispute-escrow', { contractId, signer: seller }, parties.seller);
      const body = { contractId, disputeResolver: parties.arbiter.publicKey(), distributions };
      await sandbox.write('/escrow/single-release/resolve-dispute', body, parties.arbiter);
    };
    const types = () => eventsOf(receiver.received).map(({ type }) => type);
    await resolve([{ address: buyer, amount: 100 }]);
    await eventually(() => expect(types().slice(-2).sort()).toEqual(['escrow.disputed', 'escrow.refunded']));
    const halves = [buyer, seller].map((address) => ({ address, amount: 50 }));
    await resolve(halves);
    await eventually(() => expect(types().slice(-2).sort()).toEqual(['escrow.disputed', 'escrow.released']));
    expect(receiver.received[0]?.headers['x-escrow-signature']).toBeUndefined();
    await sandbox.close();
    await receiver.stop();
  });
});

describe('webhooks about one milestone of several', () => {
  it('name the milestone that was disputed or paid out, and the last one ends the escrow', async () => {
    const receiver = await startReceiver();
    const sandbox = await runSandbox({ webhooks: { gatewayUrl: receiver.url } });
    const parties = await createParties(sandbox);
    const { buyer, arbiter } = parties;
    const type = 'multi-release';
    const deployed = await sandbox.write(`/deployer/${type}`, multiRelease(sandbox, parties, [50, 30, 20]), buyer);
    const contractId = String(deployed.body.contractId);
    const write = (path: string, body: object, signer = buyer) =>
      sandbox.write(`/escrow/${type}/${path}`, { contractId, ...body }, signer);
    await write('fund-escrow', { signer: buyer.publicKey(), amount: 100 });
    const release = async (index: string) => {
      await complete(sandbox, parties, contractId, { index, type });
      await approve(sandbox, parties, contractId, { index, type });
      await write('release-milestone-funds', { releaseSigner: buyer.publicKey(), milestoneIndex: index });
    };
    const refund = async (milestoneIndex: string, amount: number) => {
      await write('dispute-milestone', { signer: buyer.publicKey(), milestoneIndex });
      const distributions = [{ address: buyer.publicKey(), amount }];
      const resolution = { disputeResolver: arbiter.publicKey(), milestoneIndex, distributions };
      await write('resolve-milestone-dispute', resolution, arbiter);
    };
    const seen = () =>
      eventsOf(receiver.received)
        .filter((event) => event.type !== 'escrow.milestone_completed')
        .map((event) => [event.type, event.data.status, event.data.milestone_ref]);
    await release('1');
    await eventually(() => expect(seen().at(-1)).toEqual(['escrow.released', 'FUNDED', '1']));
    await refund('0', 50);
    await eventually(() => expect(seen().at(-1)).toEqual(['escrow.refunded', 'FUNDED', '0']));
    await release('2');
    await eventually(() => expect(seen().at(-1)).toEqual(['escrow.released', 'RELEASED', null]));
    await sandbox.close();
    await receiver.stop();
  });
});

describe('webhooks of the payment provider', () => {
  it("are signed according to Standard Webhooks, under the provider's header names", async () => {
    const receiver = await startReceiver();
    const sandbox = await runSandbox({ webhooks: { gatewayUrl: receiver.url, paymentSecret } });
    const authorization = `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`;
    const payin = aPayin('topup_1', 5);
    const { body } = await sandbox.request('POST', `${sandbox.paymentProviderUrl}/payins`, payin, { authorization });
    await sandbox.control('POST', `/payins/${body.id}/confirm`);
    await eventually(() => expect(receiver.received).toHaveLength(2));

    expect(
      eventsOf(receiver.received)
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['payin.confirmed', 'payin.created']);
    for (const { headers, body: text, path: at } of receiver.received) {
      const signedText = `${String(headers['svix-id'])}.${String(headers['svix-timestamp'])}.${text}`;
      const expected = createHmac('sha256', paymentKey).update(signedText).digest('base64');
      expect([at, headers['svix-signature']]).toEqual(['/webhooks/payment-provider', `v1,${expected}`]);
      expect(JSON.parse(text).data.code).toBe('topup_1');
    }
    await sandbox.close();
    await receiver.stop();
  });
});

describe('webhooks about a payout', () => {
  it('are sent when it waits for its user, when it continues, and when it ends', async () => {
    const receiver = await startReceiver();
    const sandbox = await runSandbox({ webhooks: { gatewayUrl: receiver.url, paymentSecret } });
    const authorization = `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`;
    const payout = { ...aPayout('wd_1', 10), commit: true };
    const { body } = await sandbox.request('POST', `${sandbox.paymentProviderUrl}/payouts`, payout, { authorization });
    const seen = () =>
      eventsOf(receiver.received)
        .filter(({ type }) => type !== 'payout.created')
        .map(({ type, data }) => [type, data.status, data.reasonDescription]);
    const moves = [
      ['require-action', ['payout.pending_user_action', 'PENDING_USER_ACTION', 'Confirm your identity.']],
      ['resume', ['payout.pending', 'PENDING', undefined]],
      ['complete', ['payout.completed', 'COMPLETED', undefined]],
    ] as const;
    for (const [move, expected] of moves) {
      await sandbox.control('POST', `/payouts/${body.id}/${move}`, { reason: 'Confirm your identity.' });
      await eventually(() => expect(seen().at(-1)).toEqual(expected));
    }
    await sandbox.close();
    await receiver.stop();
  });
});

describe('an undelivered webhook', () => {
  it('is retried, also by the next process', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-webhooks-'));
    const receiver = await startReceiver(2);
    const webhooks = { gatewayUrl: receiver.url };
    const first = await runSandbox({ webhooks, dataFolder: folder });
    const parties = await createParties(first);
    await first.write('/deployer/single-release', singleRelease(first, parties), parties.buyer);
    await eventually(() => expect(receiver.received).toHaveLength(2));
    await first.close();

    const second = await runSandbox({ webhooks, dataFolder: folder });
    await eventually(async () => expect((await second.control('GET', '/state')).body.pendingWebhooks).toBe(0));

    const ids = eventsOf(receiver.received).map(({ event_id: id }) => id);
    expect(new Set(ids).size).toBe(1);
    expect(ids.length).toBeGreaterThan(2);
    await second.close();
    await receiver.stop();
    await rm(folder, { recursive: true });
  });

  it('does not delay the stop of the sandbox, and is sent by the next process', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sandbox-webhooks-'));
    const requests: Socket[] = [];
    const silent = createServer((socket) => void socket.once('data', () => requests.push(socket)));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const first = await runSandbox({ webhooks: { gatewayUrl: `http://127.0.0.1:${port}` }, dataFolder: folder });
    const parties = await createParties(first);
    await first.write('/deployer/single-release', singleRelease(first, parties), parties.buyer);
    await eventually(() => expect(requests).toHaveLength(1));
    await first.close();
    silent.close();

    const receiver = await startReceiver();
    const second = await runSandbox({ webhooks: { gatewayUrl: receiver.url }, dataFolder: folder });
    await eventually(() => expect(eventsOf(receiver.received).map(({ type }) => type)).toEqual(['escrow.created']));
    await second.close();
    await receiver.stop();
    await rm(folder, { recursive: true });
  });
});
