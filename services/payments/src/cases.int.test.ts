import {
  caseResolved,
  custodyRecordQuarantined,
  custodyUnconfirmedDepositFound,
  custodyUnknownOutflowFound,
  custodyUnknownDepositFound,
  type MessageDeclaration,
  type Payload,
} from '@holdfast/contracts/messages';
import { payoutMemoHash, type CaseId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { aLatePayment, anOpenTopup, casesAbout, receivePayin, reportOf, since } from './testing/reconciliation.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { aWithdrawal, foreignAddress } from './testing/withdrawals.js';

let payments: RunningPayments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.stop());

/** Publishes two messages about the same thing, and delivers each of them twice. */
async function publish<M extends MessageDeclaration>({ type, version, aggregateType }: M, id: string, payload: Payload<M>) {
  for (let message = 0; message < 2; message += 1) {
    const envelope = {
      id: payments.newId('evt'),
      type,
      version,
      aggregateType,
      aggregateId: id,
      aggregateVersion: 1,
      occurredAt: payments.clock.now(),
      marketplaceId: 'mkt_default' as const,
      correlationId: 'test',
      payload,
    };
    await payments.publish([envelope]);
    await payments.publish([envelope]);
  }
}

type Unknown = Payload<typeof custodyUnknownDepositFound>;

let operations = 0;
async function anUnknownDeposit(given: Partial<Unknown>): Promise<Unknown> {
  operations += 1;
  const operationId = `12884901${operations}`;
  const ofContract = { form: 'contract_transfer', userId: null, orderId: 'ord_1' } as const;
  const payload: Unknown = { operationId, amount: '5.00', currency: 'USDC', ...ofContract, ...given };
  await publish(custodyUnknownDepositFound, operationId, payload);
  return payload;
}

async function casesOf(kind: string, sourceId: string) {
  const { data } = await payments.get(`/reconciliation/cases?kind=${kind}&limit=100`);
  return (data.data as readonly { readonly id: CaseId; readonly sourceId: string }[]).filter(
    (each) => each.sourceId === sourceId,
  );
}

const oneCase = (kind: string, sourceId: string) =>
  eventually(async () => {
    const [found, ...others] = await casesOf(kind, sourceId);
    expect(others).toEqual([]);
    if (found === undefined) throw new Error('there is no case yet');
    return found;
  });

const resolve = (id: CaseId, action: string) =>
  payments.post(`/reconciliation/cases/${id}/resolve`, { action, note: 'A person has looked at it.' });

const resolvedMessages = (id: CaseId) =>
  payments.published.filter(({ type, aggregateId }) => type === caseResolved.type && aggregateId === id);

describe('money that a stranger has paid into a contract', () => {
  it('is one case about the order, whose money is in the suspense account', async () => {
    const suspense = Number(payments.ledger.suspense());
    const { operationId } = await anUnknownDeposit({});
    const found = await oneCase('unknown_deposit', operationId);
    expect(found).toMatchObject({
      status: 'OPEN',
      userId: null,
      amount: '5.00',
      currency: 'USDC',
      source: 'ledger_network',
      relatedId: 'ord_1',
    });
    await eventually(() => expect(Number(payments.ledger.suspense())).toBe(suspense + 5));
    expect(await casesOf('unknown_deposit', operationId)).toHaveLength(1);
  });

  it.each([
    ['credit', 'action must not be credit, because the case has no user'],
    ['return', 'action must not be return, because the case has no user'],
  ])('400 VALIDATION_ERROR to %s it, with the reason', async (action, reason) => {
    const { id } = await oneCase('unknown_deposit', (await anUnknownDeposit({})).operationId);
    await eventually(async () => {
      const refused = await resolve(id, action);
      expect(refused).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
      expect(JSON.stringify(refused)).toContain(reason);
    });
  });

  it('200 writes it off, and publishes that it is resolved', async () => {
    const { operationId: sourceId } = await anUnknownDeposit({});
    const { id: caseId } = await oneCase('unknown_deposit', sourceId);
    await eventually(async () => expect((await resolve(caseId, 'write_off')).data).toMatchObject({ status: 'RESOLVED' }));
    await eventually(() =>
      expect(resolvedMessages(caseId).map(({ payload }) => payload)).toEqual([
        { caseId, kind: 'unknown_deposit', source: 'ledger_network', sourceId },
      ]),
    );
  });
});

describe('a claimable balance', () => {
  it('is a case of the user which is not booked and can only be written off', async () => {
    const userId = payments.aUser();
    const suspense = payments.ledger.suspense();
    const { operationId } = await anUnknownDeposit({ form: 'claimable_balance', userId, orderId: null });
    const { id } = await oneCase('unknown_deposit', operationId);
    for (const action of ['credit', 'return']) expect(await resolve(id, action)).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await resolve(id, 'write_off')).data).toMatchObject({ status: 'RESOLVED', userId, amount: '5.00' });
    expect(payments.ledger.suspense()).toBe(suspense);
  });
});

describe('a deposit that only one source shows', () => {
  it('is a case of the user which is not booked and can only be written off', async () => {
    const [userId, operationId, suspense] = [payments.aUser(), '12884902001', payments.ledger.suspense()];
    const payload = { operationId, amount: '5000.00', currency: 'USDC', userId, orderId: null } as const;
    await publish(custodyUnconfirmedDepositFound, operationId, payload);
    const { id } = await oneCase('unconfirmed_deposit', operationId);
    for (const action of ['credit', 'return']) expect(await resolve(id, action)).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await resolve(id, 'write_off')).data).toMatchObject({ status: 'RESOLVED', userId, amount: '5000.00' });
    expect(payments.ledger.suspense()).toBe(suspense);
  });
});

describe('tokens that left the treasury', () => {
  it('are a case with a negative amount which is not booked and can only be written off', async () => {
    const sourceId = `${'a'.repeat(64)}-1`;
    const payload = {
      sourceId,
      place: 'treasury',
      userId: null,
      amount: '12.50',
      currency: 'USDC',
      to: 'GB',
      memoHash: null,
      stopsPayouts: true,
    } as const;
    await publish(custodyUnknownOutflowFound, sourceId, payload);
    const { id, ...found } = await oneCase('unknown_outflow', sourceId);
    expect(found).toMatchObject({ userId: null, amount: '-12.50', currency: 'USDC', source: 'ledger_network' });
    expect(JSON.stringify(found)).toContain('Tokens have left the treasury to GB');
    for (const action of ['credit', 'return']) expect(await resolve(id, action)).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await resolve(id, 'write_off')).data).toMatchObject({ status: 'RESOLVED' });
  });
});

describe('a payout that is not known any more after a restore', () => {
  it('opens no case where its memo names an open withdrawal, and one where it does not', async () => {
    const id = await aWithdrawal(payments, { destination: { type: 'ledger', address: foreignAddress } });
    const outflow = {
      place: 'treasury',
      userId: null,
      amount: '40.00',
      currency: 'USDC',
      to: foreignAddress,
      stopsPayouts: true,
    } as const;
    const paid = { ...outflow, sourceId: 'paid-1', memoHash: payoutMemoHash(id) };
    const foreign = { ...outflow, sourceId: 'foreign-1', memoHash: payoutMemoHash('wd_of_somebody') };
    await publish(custodyUnknownOutflowFound, paid.sourceId, paid);
    await publish(custodyUnknownOutflowFound, foreign.sourceId, foreign);
    await oneCase('unknown_outflow', foreign.sourceId);
    expect(await casesOf('unknown_outflow', paid.sourceId)).toEqual([]);
  });
});

describe('a quarantined record', () => {
  it.each([['of a user', true] as const, ['of several users', false] as const])(
    '%s is one case without an amount, which can only be written off',
    async (_whose, isOfUser) => {
      const userId = isOfUser ? payments.aUser() : null;
      const recordId = `record-${String(isOfUser)}`;
      await publish(custodyRecordQuarantined, recordId, { recordId, reason: 'unknown operation type "x"', userId });
      const { id: caseId, ...found } = await oneCase('quarantined_record', recordId);
      expect(found).toMatchObject({ userId, amount: '0.00', currency: 'USDC', source: 'ledger_network' });
      expect(JSON.stringify(found)).toContain('unknown operation type');
      const refused = await resolve(caseId, 'credit');
      expect(refused).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
      expect(JSON.stringify(refused)).toContain('the amount of a quarantined record is unknown');
      expect(resolvedMessages(caseId)).toEqual([]);
      expect((await resolve(caseId, 'write_off')).data).toMatchObject({ status: 'RESOLVED' });
      await eventually(() =>
        expect(resolvedMessages(caseId).map(({ payload }) => payload)).toEqual([
          { caseId, kind: 'quarantined_record', source: 'ledger_network', sourceId: recordId },
        ]),
      );
      expect(await resolve(caseId, 'write_off')).toMatchObject({ status: 409, code: 'INVALID_STATE' });
    },
  );
});

describe('the return of a case', () => {
  const returned = (id: string) => payments.post(`/reconciliation/cases/${id}/resolve`, { action: 'return', note: 'Sent back.' });
  const payoutOf = async (code: string) => {
    const response = await fetch(`${payments.sandbox.controlUrl}/state`);
    const { payouts } = (await response.json()) as {
      readonly payouts: readonly { readonly id: string; readonly code: string; readonly airtmUserEmail: string }[];
    };
    return payouts.filter((payout) => payout.code === code);
  };
  const completed = async (code: string) => {
    const [payout] = await eventually(async () => {
      const found = await payoutOf(code);
      expect(found).toHaveLength(1);
      return found;
    });
    await eventually(async () => expect((await payments.control(`/payouts/${payout?.id}/complete`)).status).toBe(200));
  };

  it('200 pays the money back to its account once, and the books follow', async () => {
    const [before, suspense] = [await reportOf(payments), payments.ledger.suspense()];
    const { id, payinId } = await anOpenTopup(payments);
    await payments.post(`/topups/${id}/cancel`, {});
    await receivePayin(payments, payinId);
    await reportOf(payments);
    const [found] = await casesAbout(payments, payinId);
    if (found === undefined) throw new Error('There is no case.');
    const [response] = await Promise.all([returned(found.id), completed(found.id)]);
    expect([response.status, response.data.status]).toEqual([200, 'RESOLVED']);
    expect(payments.ledger.suspense()).toBe(suspense);
    const unchanged = { journal: '0.00', paymentProvider: '0.00', difference: '0.00', openCases: 0 };
    expect(since(before, await reportOf(payments))).toMatchObject(unchanged);
    await eventually(() =>
      expect(payments.auditsOf(found.id).map(({ action }) => action)).toEqual([
        'RECONCILIATION_CASE_OPENED',
        'CASE_RESOLUTION_REQUESTED',
        'CASE_MONEY_RETURNED',
        'CASE_RESOLVED',
      ]),
    );
  });

  it('422 PAYMENT_ACCOUNT_INVALID when the payout fails; a second return is another payout', async () => {
    const { id } = await aLatePayment(payments);
    const failed = async () => {
      const [payout] = await eventually(async () => {
        const found = await payoutOf(id);
        expect(found).toHaveLength(1);
        return found;
      });
      await eventually(async () =>
        expect((await payments.control(`/payouts/${payout?.id}/fail`, { reason: 'Closed.' })).status).toBe(200),
      );
    };
    const [refused] = await Promise.all([returned(id), failed()]);
    expect([refused.status, refused.code]).toEqual([422, 'PAYMENT_ACCOUNT_INVALID']);
    const [response] = await Promise.all([returned(id), completed(`${id}-2`)]);
    expect([response.status, response.data.status]).toEqual([200, 'RESOLVED']);
  });

  it('200 pays the payer, who need not have the linked account', async () => {
    const { id } = await aLatePayment(payments, 'somebody.else@example.com');
    const [response] = await Promise.all([returned(id), completed(id)]);
    expect([response.status, response.data.status]).toEqual([200, 'RESOLVED']);
    expect(await payoutOf(id)).toMatchObject([{ airtmUserEmail: 'somebody.else@example.com' }]);
  });

  it('422 PAYMENT_ACCOUNT_INVALID if the provider does not name the payer; nothing is paid', async () => {
    const { id } = await aLatePayment(payments, null);
    expect(await returned(id)).toMatchObject({
      status: 422,
      code: 'PAYMENT_ACCOUNT_INVALID',
      details: { reason: 'The payment provider does not name the payer of this payment.' },
    });
    expect(await payoutOf(id)).toEqual([]);
  });

  it.each(['create-payout', 'commit'])('200 and one payout after a time-out behind the effect of %s', async (operation) => {
    const { id } = await aLatePayment(payments);
    await payments.control('/faults', { target: 'payment-provider', operation, kind: 'error-after-effect', times: 1 });
    const [response] = await Promise.all([returned(id), completed(id)]);
    expect([response.status, response.data.status]).toEqual([200, 'RESOLVED']);
    expect(await payoutOf(id)).toHaveLength(1);
  });
});
