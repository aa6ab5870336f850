import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { aFundedContract, requestSettlement, settlementReplies, type TestOrder } from './testing/orders.js';
import { refundOutside, releaseOutside } from './testing/outside-steps.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { checkContracts } from './use-cases/check-contracts.js';

let adapter: RunningAdapter;

beforeAll(async () => {
  adapter = await startAdapter();
});

afterAll(() => adapter.stop());

const contradicted = 'escrow.settlement_contradicted';
const typesAbout = ({ orderId }: TestOrder, types: readonly string[]): readonly string[] =>
  adapter.published
    .filter(({ type, payload }) => types.includes(type) && JSON.stringify(payload).includes(orderId))
    .map(({ type }) => type);

describe('a settlement of a contract that was paid out in another way', () => {
  it.each([
    ['a refund after an external release', 'REFUND', releaseOutside, 'the contract has been paid out in another way'],
    ['a split after an external release', 'SPLIT', releaseOutside, 'the contract has been paid out in another way'],
    ['a release after an external refund', 'RELEASE', refundOutside, 'the contract was resolved outside this platform'],
    ['a refund after an external refund', 'REFUND', refundOutside, 'the contract was resolved outside this platform'],
  ] as const)('is reported and not retried: %s', async (_, decision, payOutside, reason) => {
    const order = await aFundedContract(adapter);
    await payOutside(adapter, order);
    await requestSettlement(adapter, order, { decision, ...(decision === 'SPLIT' ? { sellerAmount: '60.00' } : {}) });
    expect((await adapter.waitForReply(order.orderId, contradicted)).payload).toMatchObject({ orderId: order.orderId, reason });
    expect(typesAbout(order, settlementReplies)).toEqual([]);
    await eventually(async () => {
      const [intent] = await adapter.database.asAdmin<{ readonly hours: number; readonly isOpen: boolean }>(
        `select extract(epoch from due_at - now()) / 3600 as hours, closed_at is null as "isOpen"
         from escrow_adapter.intents where subject = $1 and kind = 'settle'`,
        [order.escrowId],
      );
      expect([Number(intent?.hours) > 12, intent?.isOpen]).toEqual([true, true]);
    });
  });

  it('is reported again when its command is resent', async () => {
    const order = await aFundedContract(adapter);
    await releaseOutside(adapter, order);
    const command = await requestSettlement(adapter, order, { decision: 'REFUND' });
    const reported = await adapter.waitForReply(order.orderId, contradicted);
    await adapter.republish(command);
    await eventually(() => expect(typesAbout(order, [contradicted]).length).toBeGreaterThanOrEqual(2));
    await eventually(() => expect(adapter.repeatedIds).toContain(reported.id));
  });
});

describe('a settlement of a contract whose external release was published before', () => {
  it.each(['RELEASE', 'REFUND'] as const)(
    'is ended by the message about that release, without an alert: %s',
    async (decision) => {
      const order = await aFundedContract(adapter);
      await releaseOutside(adapter, order);
      await checkContracts(adapter.first.adapter.deps, 0);
      const published = await adapter.waitForReply(order.orderId, 'escrow.released');

      const command = await requestSettlement(adapter, order, { decision });
      await eventually(async () => {
        const [intent] = await adapter.database.asAdmin<{ readonly replies: readonly Envelope[] | null }>(
          `select replies from escrow_adapter.intents where id = $1`,
          [command.id],
        );
        expect(intent?.replies).toEqual([published]);
      });
      const payouts = () =>
        adapter.published.filter(({ type, aggregateId }) => type === 'escrow.released' && aggregateId === order.escrowId);
      // A queue holds a message once: the reply to the repeated command must not meet the first reply there.
      await eventually(() => expect(payouts()).toHaveLength(2));
      await adapter.republish(command);
      await eventually(() => expect(payouts()).toHaveLength(3));
      expect(payouts()).toEqual([published, published, published]);
      expect(typesAbout(order, [contradicted, 'escrow.refunded', 'escrow.settlement_failed'])).toEqual([]);
    },
  );
});
