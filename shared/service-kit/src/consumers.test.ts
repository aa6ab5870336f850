import type { Envelope, MessageDeclaration, Payload } from '@holdfast/contracts/messages';
import * as message from '@holdfast/contracts/messages';
import { consumedBy, fundSaga, published, releaseSaga, type Published } from '@holdfast/contracts/sagas';
import { bind, consume, on, assertAllMessagesHandled, type BoundConsumer } from './consumers.js';

type MessageOf<M extends MessageDeclaration> = Envelope<Payload<M>>;

const nothing = (): Promise<Published> => Promise.resolve(published);
/** A handler that publishes messages of these types. */
const publishing =
  <Types extends string>() =>
  (): Promise<Published<Types>> =>
    Promise.resolve(published);
const stops = { stopAtContract: nothing, stopAtLedger: nothing };
const boundTo = (consumers: readonly BoundConsumer[]) => consumers.map(({ declaration, saga }) => [declaration.type, saga]);

describe('the handlers bound to a saga', () => {
  it('handle the messages of their steps in that saga', () => {
    expect(boundTo(bind(fundSaga, 'ledger-balance', { deduct: nothing, restore: nothing }))).toEqual([
      ['order.fund_requested', 'fund'],
      ['escrow.funding_failed', 'fund'],
    ]);
  });

  it('are one per message of a step that waits for several', () => {
    const [paid, settled, failed] = [() => nothing(), () => nothing(), () => nothing()];
    const consumers = bind(releaseSaga, 'orders', { finish: [paid, settled], revert: failed, ...stops });
    expect(consumers).toEqual([
      { declaration: message.escrowReleased, saga: 'release', step: 'finish', run: paid },
      { declaration: message.balanceEscrowSettled, saga: 'release', step: 'finish', run: settled },
      { declaration: message.escrowSettlementFailed, saga: 'release', step: 'revert', run: failed },
      { declaration: message.escrowSettlementContradicted, saga: 'release', step: 'stopAtContract', run: nothing },
      { declaration: message.balanceSettlementContradicted, saga: 'release', step: 'stopAtLedger', run: nothing },
    ]);
  });

  it('do not compile, and throw, when one is missing', () => {
    // @ts-expect-error -- the step "restore" has no handler
    expect(() => bind(fundSaga, 'ledger-balance', { deduct: nothing })).toThrow(
      'no handler for escrow.funding_failed in the saga fund',
    );
    // @ts-expect-error -- the step "finish" waits for two messages
    expect(() => bind(releaseSaga, 'orders', { finish: [nothing], revert: nothing, ...stops })).toThrow(
      'no handler for balance.escrow_settled',
    );
  });

  it('do not compile, and are not bound, for a step of another service', () => {
    const ofFund = { finish: nothing, refuse: nothing, revert: nothing, stopAtLedger: nothing };
    // @ts-expect-error -- the step "fund" belongs to another service
    const withForeignStep = bind(fundSaga, 'ledger-balance', { deduct: nothing, restore: nothing, fund: nothing });
    expect(withForeignStep).toHaveLength(2);
    // @ts-expect-error -- the step "start" waits for no message
    const withStart = bind(fundSaga, 'orders', { ...ofFund, start: nothing });
    expect(withStart).toHaveLength(4);
  });

  it('do not compile when a handler takes a different message from its step', () => {
    const takesFundRequested = (_: MessageOf<typeof message.orderFundRequested>) => nothing();
    const takesFundingFailed = (_: MessageOf<typeof message.escrowFundingFailed>) => nothing();
    const takesReleased = (_: MessageOf<typeof message.escrowReleased>) => nothing();
    const takesSettled = (_: MessageOf<typeof message.balanceEscrowSettled>) => nothing();
    const right = [
      ...bind(fundSaga, 'ledger-balance', { deduct: takesFundRequested, restore: takesFundingFailed }),
      ...bind(releaseSaga, 'orders', { finish: [takesReleased, takesSettled], revert: nothing, ...stops }),
    ];
    const wrong = [
      // @ts-expect-error -- "deduct" is on order.fund_requested
      ...bind(fundSaga, 'ledger-balance', { deduct: takesFundingFailed, restore: takesFundingFailed }),
      // @ts-expect-error -- the handlers are in another order than the messages
      ...bind(releaseSaga, 'orders', { finish: [takesSettled, takesReleased], revert: nothing, ...stops }),
    ];
    expect(boundTo(wrong)).toEqual(boundTo(right));
  });
});

describe('what the handler of a step publishes', () => {
  it('compiles if the step declares it, on success or on failure, all of it or a part', () => {
    const deduct = publishing<'balance.released' | 'balance.reserved_deducted' | 'balance.deduction_refused'>();
    const restore = publishing<'balance.deduction_restored'>();
    expect(bind(fundSaga, 'ledger-balance', { deduct, restore })).toHaveLength(2);
  });

  it('does not compile if another step declares it, no step does, or the handler does not say', () => {
    const ofRestore = publishing<'balance.deduction_restored'>();
    const ofOtherSaga = publishing<'balance.reserved_deducted' | 'balance.reservation_made'>();
    const silent = (): Promise<void> => Promise.resolve();
    const wrong = [
      // @ts-expect-error -- the step "restore" declares it
      ...bind(fundSaga, 'ledger-balance', { deduct: ofRestore, restore: nothing }),
      // @ts-expect-error -- the saga "reserve" declares one of them
      ...bind(fundSaga, 'ledger-balance', { deduct: ofOtherSaga, restore: nothing }),
      // @ts-expect-error -- anything may have been published
      ...bind(fundSaga, 'ledger-balance', { deduct: silent, restore: nothing }),
      // @ts-expect-error -- each handler of a step that waits for two messages is compared
      ...bind(releaseSaga, 'orders', { finish: [nothing, ofRestore], revert: nothing, ...stops }),
    ];
    expect(wrong).toHaveLength(11);
  });
});

describe('the handlers outside of sagas', () => {
  it('handle their messages in every saga', () => {
    expect(
      boundTo(
        consume('notifications', {
          auditRecorded: nothing,
          testClockAdvanced: nothing,
          apiKeyRevoked: nothing,
          apiKeyRotated: nothing,
        }),
      ),
    ).toEqual([
      ['audit.recorded', undefined],
      ['test_clock.advanced', undefined],
      ['api_key.revoked', undefined],
      ['api_key.rotated', undefined],
    ]);
  });

  it('do not compile when one is missing, is not declared, or takes another message', () => {
    const takesUser = (_: MessageOf<typeof message.userCreated>) => nothing();
    // @ts-expect-error -- user.changed has no handler
    expect(() => consume('escrow-adapter', { userCreated: takesUser })).toThrow('no handler for user.changed');
    const declared = { auditRecorded: nothing, testClockAdvanced: nothing, apiKeyRevoked: nothing, apiKeyRotated: nothing };
    // @ts-expect-error -- notifications is not declared to consume user.created
    expect(consume('notifications', { ...declared, userCreated: nothing })).toHaveLength(4);
    // @ts-expect-error -- a handler of another message
    expect(consume('notifications', { ...declared, auditRecorded: takesUser })).toHaveLength(4);
  });
});

describe('assertAllMessagesHandled', () => {
  const all = consumedBy('orders').map((consumed): BoundConsumer => ({ ...consumed, run: nothing }));

  it('accepts a handler for every message that the service is declared to consume', () => {
    expect(() => assertAllMessagesHandled('orders', all)).not.toThrow();
  });

  it('throws when a message has a handler in one saga but not in another', () => {
    const isRefund = ({ saga }: BoundConsumer) => saga === 'refund';
    expect(() =>
      assertAllMessagesHandled(
        'orders',
        all.filter((consumer) => !isRefund(consumer)),
      ),
    ).toThrow('orders is declared to consume escrow.refunded in the saga refund, balance.escrow_settled in the saga refund');
  });

  it('throws when a message outside of sagas has no handler', () => {
    const withoutUsers = all.filter(({ declaration }) => declaration.type !== 'user.created');
    expect(() => assertAllMessagesHandled('orders', withoutUsers)).toThrow('orders is declared to consume user.created, and has');
    expect(() => assertAllMessagesHandled('orders', [...withoutUsers, on(message.userCreated, nothing)])).not.toThrow();
  });
});
