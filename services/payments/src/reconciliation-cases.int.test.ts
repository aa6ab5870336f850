import { balanceCaseRefused, balanceDifferenceFound, caseResolutionRequested } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import type { CaseId } from '@holdfast/kernel/ids';
import { aCase } from './testing/cases.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { reply } from './testing/simulated-ledger.js';

let payments: RunningPayments;
beforeAll(async () => {
  payments = await startPayments({ CASE_APPROVAL_AMOUNT: '100.00' });
});
afterAll(() => payments.stop());

const note = 'The user confirmed it by phone.';
const resolve = (id: CaseId, action: string, by = {}) =>
  payments.post(`/reconciliation/cases/${id}/resolve`, { action, note }, by);
const actionsOf = (id: CaseId) => payments.auditsOf(id).map(({ action }) => action);
const supportKey = { type: 'api_key', id: 'key_support', scopes: ['support'] } as const;
const commandsOf = (id: CaseId) =>
  payments.ledger.commands.filter(({ type, aggregateId }) => type === caseResolutionRequested.type && aggregateId === id);

describe('GET /reconciliation/cases', () => {
  it('200 lists the cases of the marketplace, filtered by user, status and kind', async () => {
    const userId = payments.aUser();
    const [older, newer] = [await aCase(payments, { userId }), await aCase(payments, { userId, kind: 'amount_mismatch' })];
    const all = await payments.get(`/reconciliation/cases?userId=${userId}`);
    expect(all.data.data.map(({ id }: { id: string }) => id)).toEqual([newer, older]);
    expect(all.data.data[1]).toMatchObject({
      kind: 'late_money',
      status: 'OPEN',
      userId,
      amount: '25.00',
      currency: 'USD',
      source: 'payment_provider',
      resolution: null,
    });
    const mismatches = await payments.get(`/reconciliation/cases?userId=${userId}&kind=amount_mismatch&status=OPEN`);
    expect(mismatches.data.data).toHaveLength(1);
    const elsewhere = await payments.get(`/reconciliation/cases?userId=${userId}`, { marketplaceId: payments.newId('mkt') });
    expect(elsewhere.data.data).toEqual([]);
  });

  it('200 lists cases without an owner for the master key only', async () => {
    const [without, owned] = [await aCase(payments), await aCase(payments, { userId: payments.aUser() })];
    const idsFor = async (by: object): Promise<readonly string[]> =>
      (await payments.get('/reconciliation/cases?limit=100', by)).data.data.map(({ id }: { id: string }) => id);
    expect(await idsFor({})).toEqual(expect.arrayContaining([without, owned]));
    const seen = await idsFor(supportKey);
    expect([seen.includes(without), seen.includes(owned)]).toEqual([false, true]);
    expect((await payments.get(`/reconciliation/cases?cursor=${without}`, supportKey)).code).toBe('VALIDATION_ERROR');
  });
});

describe('POST /reconciliation/cases/{id}/resolve', () => {
  it('200 credits the user, and the suspense account is empty again', async () => {
    const userId = payments.aUser();
    const suspense = payments.ledger.suspense();
    const id = await aCase(payments, { userId });
    const response = await resolve(id, 'credit');
    expect([response.status, response.data.status]).toEqual([200, 'RESOLVED']);
    expect(response.data.resolution).toMatchObject({ action: 'credit', note, requestedBy: 'master', approvedBy: null });
    expect(response.data.resolution.resolvedAt).not.toBeNull();
    expect(payments.ledger.balanceOf(userId).available).toBe('25.00');
    expect(payments.ledger.suspense()).toBe(suspense);
    await eventually(() => expect(actionsOf(id)).toEqual(['CASE_RESOLUTION_REQUESTED', 'CASE_RESOLVED']));
    await eventually(() =>
      expect(payments.auditsOf(id)[0]).toMatchObject({ resourceType: 'ReconciliationCase', relatedIds: [userId], reason: note }),
    );
  });

  it('404 for a support key and a case without an owner, which the master key resolves', async () => {
    const id = await aCase(payments);
    const refused = await resolve(id, 'write_off', supportKey);
    expect([refused.status, actionsOf(id)]).toEqual([404, []]);
    expect((await resolve(id, 'write_off')).status).toBe(200);
    expect((await resolve(await aCase(payments, { userId: payments.aUser() }), 'write_off', supportKey)).status).toBe(200);
  });

  it('200 for a support key that confirms what the master key has requested for a case without an owner', async () => {
    const id = await aCase(payments, { amount: '150.00' });
    expect((await resolve(id, 'write_off')).status).toBe(202);
    expect((await resolve(id, 'credit', supportKey)).status).toBe(404);
    const confirmed = await resolve(id, 'write_off', supportKey);
    expect([confirmed.status, confirmed.data.resolution.approvedBy]).toEqual([200, 'key_support']);
  });

  it('200 writes off a negative amount without a user', async () => {
    const id = await aCase(payments, { amount: '-12.00', origin: 'payouts', kind: 'unexplained_difference' });
    const response = await resolve(id, 'write_off');
    expect([response.status, response.data.status]).toEqual([200, 'RESOLVED']);
    expect(commandsOf(id).map(({ payload }) => payload)).toEqual([
      { caseId: id, amount: '-12.00', currency: 'USD', origin: 'payouts', action: 'write_off', userId: null },
    ]);
  });

  it('200 the same operation again returns the first result', async () => {
    const userId = payments.aUser();
    const id = await aCase(payments, { userId });
    const by = { operationId: payments.newId('evt') };
    const responses = [await resolve(id, 'credit', by), await resolve(id, 'credit', by)];
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(payments.ledger.balanceOf(userId).available).toBe('25.00');
  });

  it('one of many parallel requests wins, and 409 INVALID_STATE is the rest', async () => {
    const userId = payments.aUser();
    const id = await aCase(payments, { userId });
    const replica = await payments.startReplica();
    const actions = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'credit' : 'write_off'));
    const responses = await Promise.all(
      actions.map((action, index) =>
        (index % 3 === 0 ? replica : payments).post(`/reconciliation/cases/${id}/resolve`, { action, note }),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ code }) => code === 'INVALID_STATE')).toHaveLength(19);
    expect(commandsOf(id)).toHaveLength(1);
  });

  it('409 INVALID_STATE once the case is resolved', async () => {
    const id = await aCase(payments);
    await resolve(id, 'write_off');
    const again = await resolve(id, 'write_off');
    expect([again.status, again.code, again.details['currentStatus']]).toEqual([409, 'INVALID_STATE', 'RESOLVED']);
  });

  it.each(['credit', 'return'])('400 VALIDATION_ERROR for %s without a user', async (action) => {
    const id = await aCase(payments);
    const response = await resolve(id, action);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(actionsOf(id)).toEqual([]);
  });

  it('422 PAYMENT_ACCOUNT_INVALID for the return of a payment that the provider does not know', async () => {
    const response = await resolve(await aCase(payments, { userId: payments.aUser() }), 'return');
    expect([response.status, response.code]).toEqual([422, 'PAYMENT_ACCOUNT_INVALID']);
  });

  it('404 CASE_NOT_FOUND for unknown, malformed and foreign cases', async () => {
    const foreign = await aCase(payments, { marketplaceId: payments.newId('mkt') });
    for (const id of [foreign, payments.newId('rcc'), 'nobody' as CaseId]) {
      const response = await resolve(id, 'write_off');
      expect([response.status, response.code]).toEqual([404, 'CASE_NOT_FOUND']);
    }
  });

  it.each([{}, { action: 'keep', note }, { action: 'credit' }, { action: 'credit', note: '' }, { action: 'credit', note: 7 }])(
    '400 VALIDATION_ERROR for the body %j',
    async (body) => {
      const response = await payments.post(`/reconciliation/cases/${await aCase(payments)}/resolve`, body);
      expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('422 the refusal of the ledger, after which the case can be resolved in another way', async () => {
    const userId = payments.aUser();
    const id = await aCase(payments, { userId });
    payments.ledger.replyNextWith(caseResolutionRequested, ({ caseId, amount, currency }) =>
      reply(balanceCaseRefused, { caseId, amount, currency, code: 'LIMIT_EXCEEDED', details: {} }),
    );
    const refused = await resolve(id, 'credit');
    expect([refused.status, refused.code]).toEqual([422, 'LIMIT_EXCEEDED']);
    const [listed] = (await payments.get(`/reconciliation/cases?userId=${userId}`)).data.data;
    expect(listed).toMatchObject({ id, status: 'OPEN', resolution: null });
    expect((await resolve(id, 'write_off')).data.status).toBe('RESOLVED');
    await eventually(() =>
      expect(actionsOf(id)).toEqual([
        'CASE_RESOLUTION_REQUESTED',
        'CASE_RESOLUTION_FAILED',
        'CASE_RESOLUTION_REQUESTED',
        'CASE_RESOLVED',
      ]),
    );
  });
});

describe('above the approval amount', () => {
  const [ann, bob] = [
    { type: 'api_key', id: 'key_ann' },
    { type: 'api_key', id: 'key_bob' },
  ] as const;

  it('202 PENDING_APPROVAL to the first credential, also when it repeats; another one confirms', async () => {
    const userId = payments.aUser();
    const id = await aCase(payments, { userId, amount: '100.01' });
    for (const by of [ann, ann]) {
      const response = await resolve(id, 'credit', by);
      expect([response.status, response.data.status]).toEqual([202, 'PENDING_APPROVAL']);
      expect(response.data.resolution).toMatchObject({ requestedBy: 'key_ann', approvedBy: null, resolvedAt: null });
    }
    expect(commandsOf(id)).toEqual([]);
    const confirmed = await resolve(id, 'credit', bob);
    expect([confirmed.status, confirmed.data.status]).toEqual([200, 'RESOLVED']);
    expect(confirmed.data.resolution).toMatchObject({ requestedBy: 'key_ann', approvedBy: 'key_bob' });
    await eventually(() =>
      expect(actionsOf(id)).toEqual(['CASE_RESOLUTION_REQUESTED', 'CASE_RESOLUTION_APPROVED', 'CASE_RESOLVED']),
    );
    await eventually(() =>
      expect(payments.auditsOf(id).map(({ actorId }) => actorId)).toEqual(['key_ann', 'key_bob', 'key_bob']),
    );
  });

  it('202 another action is a new request, which needs a second person again', async () => {
    const id = await aCase(payments, { userId: payments.aUser(), amount: '500.00' });
    await resolve(id, 'credit', ann);
    const other = await resolve(id, 'write_off', bob);
    expect([other.status, other.data.resolution.action, other.data.resolution.requestedBy]).toEqual([
      202,
      'write_off',
      'key_bob',
    ]);
    expect((await resolve(id, 'write_off', bob)).status).toBe(202);
    expect((await resolve(id, 'write_off', ann)).status).toBe(200);
  });

  it('200 at once for the amount itself', async () => {
    const id = await aCase(payments, { userId: payments.aUser(), amount: '-100.00', origin: 'payouts' });
    expect((await resolve(id, 'write_off', ann)).status).toBe(200);
  });

  it('one of two parallel confirmations is carried out', async () => {
    const id = await aCase(payments, { userId: payments.aUser(), amount: '200.00' });
    await resolve(id, 'write_off', ann);
    const responses = await Promise.all([bob, bob, bob, bob].map((by) => resolve(id, 'write_off', by)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect(commandsOf(id)).toHaveLength(1);
  });
});

describe('a difference that the ledger found in a wallet', () => {
  const published = async (userId: string, amount: string) => {
    const { type, version, aggregateType } = balanceDifferenceFound;
    const message = {
      id: payments.newId('evt'),
      type,
      version,
      aggregateType,
      aggregateId: userId,
      aggregateVersion: 1,
      occurredAt: payments.clock.now(),
      marketplaceId: 'mkt_default' as const,
      correlationId: 'test',
      payload: { userId, amount, currency: 'USDC', address: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' },
    };
    await payments.publish([message]);
    await payments.publish([message]);
  };

  it('is one case, which is not booked and can only be written off', async () => {
    const userId = payments.aUser();
    const suspense = payments.ledger.suspense();
    await published(userId, '-3.5000001');
    await published(userId, '-3.5000001');
    const list = () => payments.get(`/reconciliation/cases?userId=${userId}`);
    const found = await eventually(async () => {
      const { data } = (await list()).data;
      expect(data).toHaveLength(1);
      return data[0];
    });
    expect(found).toMatchObject({
      kind: 'unexplained_difference',
      amount: '-3.5000001',
      currency: 'USDC',
      source: 'ledger_network',
    });
    expect((await resolve(found.id, 'credit')).code).toBe('VALIDATION_ERROR');
    const response = await resolve(found.id, 'write_off');
    expect([response.status, response.data.status]).toEqual([200, 'RESOLVED']);
    expect(payments.ledger.suspense()).toBe(suspense);
    expect((await list()).data.data).toHaveLength(1);
    await eventually(() =>
      expect(actionsOf(found.id)).toEqual(['RECONCILIATION_CASE_OPENED', 'CASE_RESOLUTION_REQUESTED', 'CASE_RESOLVED']),
    );
  });
});
