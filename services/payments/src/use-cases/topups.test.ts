import { balanceTopupRefused, topupCreditRequested } from '@holdfast/contracts/messages';
import type { TopupId } from '@holdfast/kernel/ids';
import { parseMoney } from '@holdfast/kernel/money';
import { refusalOf } from '@holdfast/testing/memory';
import { memoryPayments, type MemoryPayments } from '../testing/memory-payments.js';
import { reply } from '../testing/simulated-ledger.js';
import { cancelTopup } from './cancel-topup.js';
import { createTopup, type CreateTopup } from './create-topup.js';
import { getTopup } from './get-topup.js';
import { ProviderRefused } from './provider-ports.js';
import { refreshTopup } from './refresh-topup.js';

let payments: MemoryPayments;
beforeEach(() => {
  payments = memoryPayments();
});
afterEach(() => payments.idle());

const typesOf = (id: string) => payments.eventsOf(id).map(({ type }) => type);
const actionsOf = (id: string) => payments.auditsOf(id).map(({ action }) => action);
const refresh = (id: TopupId) => refreshTopup(payments.deps, { id }, payments.by());
const cancel = (id: TopupId, given: object = {}) => cancelTopup(payments.deps, { id, ...given }, payments.by());
const create = (input: CreateTopup, operationId?: string) => createTopup(payments.deps, input, payments.by({}, operationId));
const given = { amount: '50.00', currency: 'USD' } as const;
const nothing = () => [payments.ports.tables.committed().topups.size, payments.ports.tables.committed().intents.size];

describe('createTopup', () => {
  it('creates the pay-in and returns its confirmation page; publishes and audits both states', async () => {
    const userId = await payments.aPayee();
    const topup = await payments.aTopup({ userId, description: 'Wallet', metadata: { cart: '7' } });
    const payin = payments.provider.payinOf(topup.id);
    expect(topup).toMatchObject({
      userId,
      status: 'TOPUP_AWAITING_USER_CONFIRMATION',
      description: 'Wallet',
      metadata: { cart: '7' },
      providerPayinId: payin?.providerId,
      confirmationUri: payin?.confirmationUri,
    });
    expect(Date.parse(topup.expiresAt) - Date.parse(topup.createdAt)).toBe(15 * 24 * 3_600_000);
    expect(payin?.amount).toEqual(topup.amount);
    expect(payments.eventsOf(topup.id)).toMatchObject([
      { type: 'topup.created', payload: { userId, amount: '50.00', currency: 'USD' } },
      { type: 'topup.confirmation_required', payload: { topupId: topup.id, confirmationUri: payin?.confirmationUri } },
    ]);
    expect(payments.auditsOf(topup.id)).toMatchObject([
      { action: 'TOPUP_CREATED', relatedIds: [userId], actorId: 'key_1' },
      { action: 'TOPUP_AWAITING_USER_CONFIRMATION', actorType: 'system' },
    ]);
  });

  it('returns the first top-up for a repeated operation; IDEMPOTENCY_KEY_REUSED with another amount', async () => {
    const userId = await payments.aPayee();
    const first = await create({ ...given, userId }, 'op-1');
    expect(await create({ ...given, userId }, 'op-1')).toEqual(first);
    expect(payments.ports.tables.committed().topups.size).toBe(1);
    expect((await refusalOf(create({ ...given, userId, amount: '8.00' }, 'op-1')))[0]).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('is refused in the specified order: user, its state, its account, the limits', async () => {
    const elsewhere = payments.aUser({ marketplaceId: 'mkt_other' });
    for (const userId of ['usr_unknown', 'ord_1', elsewhere])
      expect(await refusalOf(create({ ...given, userId }))).toEqual(['USER_NOT_FOUND', { userId }]);
    const amount = '0.50';
    const suspended = payments.aUser({ status: 'SUSPENDED' });
    expect(await refusalOf(create({ ...given, amount, userId: suspended }))).toEqual(['USER_NOT_ACTIVE', { userId: suspended }]);
    const unlinked = payments.aUser();
    const refused = await refusalOf(create({ ...given, amount, userId: unlinked }));
    expect(refused).toEqual(['PAYMENT_ACCOUNT_NOT_LINKED', { userId: unlinked }]);
    expect(nothing()).toEqual([0, 0]);
  });

  it.each(['0.01', '0.99', '10000.01', '99999999999.99'])('LIMIT_EXCEEDED for %s', async (amount) => {
    const userId = await payments.aPayee();
    const details = { min: '1.00', max: '10000.00', currency: 'USD' };
    expect(await refusalOf(create({ ...given, userId, amount }))).toEqual(['LIMIT_EXCEEDED', details]);
    expect(nothing()).toEqual([0, 0]);
  });

  it('RATE_LIMITED above the limit of a minute, exact for parallel requests, until the oldest one is older', async () => {
    const userId = await payments.aPayee();
    const settled = await Promise.allSettled([1, 2, 3, 4, 5].map(() => create({ ...given, userId })));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    payments.clock.advance(50_000);
    const details = { limit: 3, windowSeconds: 60, retryAfter: 10 };
    expect(await refusalOf(create({ ...given, userId }))).toEqual(['RATE_LIMITED', details]);
    payments.clock.advance(10_000);
    await create({ ...given, userId });
  });

  it('VALIDATION_ERROR for URLs of other hosts, where the hosts are configured', async () => {
    payments = memoryPayments({ redirectHosts: ['shop.example'] });
    const userId = await payments.aPayee();
    const refused = create({ ...given, userId, returnUrl: 'https://shop.example/a', cancelUrl: 'https://evil.example/' });
    const validationErrors = ['cancelUrl must be a URL of one of the hosts shop.example'];
    expect(await refusalOf(refused)).toEqual(['VALIDATION_ERROR', { validationErrors }]);
  });

  it('PAYMENT_REFUSED with the reason if the provider refuses, also for a repeat', async () => {
    const userId = await payments.aPayee();
    payments.provider.failNext('createPayin', new ProviderRefused('no_card', 'The card is unknown.'), 'before');
    const details = { reason: 'The card is unknown.', errorCode: 'no_card' };
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await refusalOf(create({ ...given, userId }, 'op-2'))).toMatchObject(['PAYMENT_REFUSED', details]);
    const [topup] = payments.ports.tables.committed().topups.values();
    expect([topup?.status, typesOf(topup?.id ?? '')]).toEqual(['TOPUP_FAILED', ['topup.created', 'topup.failed']]);
  });

  it.each(['before', 'after'] as const)(
    'PROVIDER_TIMEOUT while the outcome is unknown; a repeat finds one pay-in (fault %s)',
    async (when) => {
      const userId = await payments.aPayee();
      payments.provider.failNext('createPayin', new Error('timed out'), when);
      expect((await refusalOf(create({ ...given, userId }, 'op-3')))[0]).toBe('PROVIDER_TIMEOUT');
      const topup = await create({ ...given, userId }, 'op-3');
      expect(topup).toMatchObject({ status: 'TOPUP_AWAITING_USER_CONFIRMATION', providerPayinId: 'payin-1' });
    },
  );

  it('fails a top-up whose pay-in has another amount, and does not give out its page', async () => {
    const userId = await payments.aPayee();
    payments.provider.failNext('createPayin', new Error('timed out'), 'after');
    await refusalOf(create({ ...given, userId }, 'op-4'));
    const [topup] = payments.ports.tables.committed().topups.values();
    payments.provider.movePayin(topup?.id ?? '', { amount: parseMoney('49.00', 'USD') });
    expect((await refusalOf(create({ ...given, userId }, 'op-4')))[0]).toBe('PAYMENT_REFUSED');
  });
});

describe('a top-up of another marketplace', () => {
  it('TOPUP_NOT_FOUND for every use case', async () => {
    const { id } = await payments.aTopup();
    const elsewhere = payments.by({ marketplaceId: 'mkt_other' });
    for (const use of [getTopup, refreshTopup, cancelTopup])
      expect(await refusalOf(use(payments.deps, { id }, elsewhere))).toEqual(['TOPUP_NOT_FOUND', { topupId: id }]);
  });
});

describe('refreshTopup', () => {
  it('credits a confirmed payment once, with every event and audit entry', async () => {
    const { id, userId, providerPayinId } = await payments.aTopup({ userId: await payments.aPayee('0.00') });
    payments.provider.movePayin(id, { outcome: 'succeeded' });
    const credited = await refresh(id);
    expect([credited.status, payments.ledger.balanceOf(userId).available]).toEqual(['TOPUP_SUCCEEDED', '50.00']);
    expect(payments.ledger.commands).toMatchObject([
      { type: topupCreditRequested.type, saga: 'top-up', payload: { topupId: id, userId, amount: '50.00', currency: 'USD' } },
    ]);
    expect(payments.eventsOf(id).slice(2)).toMatchObject([
      { type: 'topup.processing', payload: { topupId: id, providerPayinId } },
      { type: 'topup.succeeded', payload: { userId, amount: '50.00', newAvailableBalance: '50.00', providerPayinId } },
    ]);
    expect(actionsOf(id).slice(2)).toEqual(['TOPUP_PROCESSING', 'TOPUP_SUCCEEDED']);
    expect(await refresh(id)).toEqual(credited);
    expect(payments.ledger.commands).toHaveLength(1);
  });

  it('is TOPUP_FAILED with the reason of a failed payment', async () => {
    const { id, userId, providerPayinId } = await payments.aTopup();
    const text = 'The card was declined.';
    payments.provider.movePayin(id, { outcome: 'failed', reason: { code: null, text } });
    expect(await refresh(id)).toMatchObject({ status: 'TOPUP_FAILED', failureReason: text });
    const payload = { topupId: id, userId, amount: '50.00', reason: text, providerPayinId };
    expect(payments.eventsOf(id).at(-1)).toMatchObject({ type: 'topup.failed', payload });
  });

  it('is TOPUP_CANCELED by the user who canceled at the provider', async () => {
    const { id, userId } = await payments.aTopup();
    payments.provider.movePayin(id, { outcome: 'canceled' });
    expect((await refresh(id)).status).toBe('TOPUP_CANCELED');
    expect(payments.eventsOf(id).at(-1)).toMatchObject({ type: 'topup.canceled', payload: { canceledBy: userId } });
  });

  it('changes nothing while the user has not confirmed', async () => {
    const topup = await payments.aTopup();
    expect(await refresh(topup.id)).toEqual(topup);
  });

  it('SERVICE_UNAVAILABLE while the provider fails', async () => {
    const { id } = await payments.aTopup();
    payments.provider.failNext('findPayin', new Error('down'), 'before');
    expect((await refusalOf(refresh(id)))[0]).toBe('SERVICE_UNAVAILABLE');
  });

  it('opens one case and fails if another amount was received', async () => {
    const { id, userId } = await payments.aTopup();
    payments.provider.movePayin(id, { outcome: 'succeeded', amount: parseMoney('20.00', 'USD') });
    expect(await refresh(id)).toMatchObject({ status: 'TOPUP_FAILED', isInCase: true });
    await refresh(id);
    const cases = [...payments.ports.tables.committed().cases.values()];
    const money = parseMoney('20.00', 'USD');
    expect(cases).toMatchObject([{ kind: 'amount_mismatch', userId, amount: money, relatedId: id, sourceId: 'payin-1' }]);
  });

  it('opens a case if the ledger refuses the credit: the provider has the money', async () => {
    const { id } = await payments.aTopup();
    payments.provider.movePayin(id, { outcome: 'succeeded' });
    payments.ledger.replyNextWith(topupCreditRequested, (command) =>
      reply(balanceTopupRefused, { ...command, code: 'LIMIT_EXCEEDED', details: {} }),
    );
    expect(await refresh(id)).toMatchObject({ status: 'TOPUP_FAILED', errorCode: 'LIMIT_EXCEEDED', isInCase: true });
    expect([...payments.ports.tables.committed().cases.values()]).toMatchObject([{ kind: 'late_money', relatedId: id }]);
  });
});

describe('cancelTopup', () => {
  it('cancels at the provider first, and publishes who canceled and why', async () => {
    const { id, userId } = await payments.aTopup();
    expect((await cancel(id, { reason: 'Changed my mind', canceledBy: 'support-7' })).status).toBe('TOPUP_CANCELED');
    expect(payments.provider.payinOf(id)?.outcome).toBe('canceled');
    const payload = { topupId: id, userId, amount: '50.00', canceledBy: 'support-7', reason: 'Changed my mind' };
    expect(payments.eventsOf(id).at(-1)).toMatchObject({ type: 'topup.canceled', payload });
    expect(payments.auditsOf(id).at(-1)).toMatchObject({ action: 'TOPUP_CANCELED', actorId: 'key_1', reason: 'Changed my mind' });
  });

  it('has one effect for parallel requests', async () => {
    const { id } = await payments.aTopup();
    const settled = await Promise.allSettled([cancel(id), cancel(id), cancel(id)]);
    expect(settled.map(({ status }) => status)).toContain('fulfilled');
    expect(typesOf(id).filter((type) => type === 'topup.canceled')).toHaveLength(1);
  });

  it('INVALID_STATE once it is canceled', async () => {
    const { id } = await payments.aTopup();
    await cancel(id);
    expect(await refusalOf(cancel(id))).toMatchObject(['INVALID_STATE', { currentStatus: 'TOPUP_CANCELED' }]);
  });

  it('INVALID_STATE if the user was faster, and the payment is credited', async () => {
    const { id, userId } = await payments.aTopup({ userId: await payments.aPayee('0.00') });
    payments.provider.movePayin(id, { outcome: 'succeeded' });
    expect((await refusalOf(cancel(id)))[0]).toBe('INVALID_STATE');
    await payments.idle();
    expect((await getTopup(payments.deps, { id }, payments.by())).status).toBe('TOPUP_SUCCEEDED');
    expect(payments.ledger.balanceOf(userId).available).toBe('50.00');
  });

  it('PROVIDER_TIMEOUT while the outcome is unknown; the request is kept, and a repeat cancels', async () => {
    const { id } = await payments.aTopup();
    payments.provider.failNext('cancelPayin', new Error('timed out'), 'before');
    expect((await refusalOf(cancel(id)))[0]).toBe('PROVIDER_TIMEOUT');
    expect((await getTopup(payments.deps, { id }, payments.by())).cancelRequest).toMatchObject({ canceledBy: 'key_1' });
    expect((await cancel(id)).status).toBe('TOPUP_CANCELED');
  });
});
