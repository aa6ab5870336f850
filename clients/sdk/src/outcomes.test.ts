import { Holdfast } from './index.js';
import { lost, refusal, startScriptedServer, success, type ScriptedServer } from './testing/scripted-server.js';

let server: ScriptedServer;
let holdfast: Holdfast;

beforeEach(async () => {
  server = await startScriptedServer();
  holdfast = new Holdfast({ apiKey: 'hk_1', baseUrl: server.url, retriesMax: 0, timeoutMs: 2_000 });
});
afterEach(() => server.close());

const order = (status: string, more: object = {}) =>
  success({ id: 'ord_1', status, operation: null, closeReason: null, ...more });
const dispute = (status: string, more: object = {}) => ({ id: 'dsp_1', orderId: 'ord_1', status, ...more });
const sent = () => server.received.map(({ method, url }) => `${method ?? ''} ${url.replace('/api/v1', '')}`);
const running = { operation: { name: 'reserve', startedAt: '2026-01-31T12:00:00.123456Z' } };
const [reserve, read] = ['POST /orders/ord_1/reserve', 'GET /orders/ord_1'];

describe.each([
  ['a lost connection', lost],
  ['504', refusal(504, 'PROVIDER_TIMEOUT')],
  ['503', refusal(503, 'SERVICE_UNAVAILABLE')],
])('after %s', (_, unknown) => {
  it('the wanted state is the result, once no operation runs', async () => {
    server.reply(unknown, order('ORDER_CREATED', running), order('ORDER_CREATED', running), order('FUNDS_RESERVED'));
    expect(await holdfast.orders.reserve('ord_1')).toMatchObject({ status: 'FUNDS_RESERVED' });
    expect(sent()).toEqual([reserve, read, read, read]);
  });

  it('the state from before means one repeat', async () => {
    server.reply(unknown, order('ORDER_CREATED'), order('FUNDS_RESERVED'));
    expect(await holdfast.orders.reserve('ord_1')).toMatchObject({ status: 'FUNDS_RESERVED' });
    expect(sent()).toEqual([reserve, read, reserve]);
  });

  it('the refusal of the repeat stands, unless the first request was carried out meanwhile', async () => {
    server.reply(unknown, order('ORDER_CREATED'), refusal(422, 'INSUFFICIENT_FUNDS'));
    await expect(holdfast.orders.reserve('ord_1')).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    server.reply(unknown, order('ORDER_CREATED'), refusal(400, 'INVALID_STATE'), order('FUNDS_RESERVED'));
    expect(await holdfast.orders.reserve('ord_1')).toMatchObject({ status: 'FUNDS_RESERVED' });
    server.reply(unknown, order('ORDER_CREATED'), refusal(400, 'INVALID_STATE'), order('CLOSED'));
    await expect(holdfast.orders.reserve('ord_1')).rejects.toMatchObject({ code: 'INVALID_STATE' });
  });

  it('any other state is OUTCOME_UNKNOWN with the record', async () => {
    server.reply(unknown, order('CLOSED'));
    await expect(holdfast.orders.reserve('ord_1')).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      details: { record: { id: 'ord_1', status: 'CLOSED' } },
    });
    expect(sent()).toEqual([reserve, read]);
  });
});

describe('an unknown outcome', () => {
  it('stays unknown after the second lost request', async () => {
    server.reply(lost, order('ORDER_CREATED'), lost, order('ORDER_CREATED'));
    await expect(holdfast.orders.reserve('ord_1')).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      details: { record: { status: 'ORDER_CREATED' } },
    });
  });

  it('stays unknown if an operation runs for longer than timeoutMs; the record is the last one that was read', async () => {
    server.reply(lost, ...Array.from({ length: 20 }, () => order('ORDER_CREATED', running)));
    await expect(holdfast.orders.reserve('ord_1', { timeoutMs: 300 })).rejects.toMatchObject({
      code: 'OUTCOME_UNKNOWN',
      details: { record: running },
    });
  });

  it('is read until the platform is back', async () => {
    server.reply(lost, lost, refusal(503, 'SERVICE_UNAVAILABLE'), order('FUNDS_RESERVED'));
    expect(await holdfast.orders.reserve('ord_1')).toMatchObject({ status: 'FUNDS_RESERVED' });
  });

  it('of an order that does not exist is ORDER_NOT_FOUND', async () => {
    server.reply(lost, refusal(404, 'ORDER_NOT_FOUND'));
    await expect(holdfast.orders.reserve('ord_1')).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' });
  });

  it('does not concern a plain refusal', async () => {
    server.reply(refusal(400, 'INVALID_STATE'));
    await expect(holdfast.orders.reserve('ord_1')).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(sent()).toEqual([reserve]);
  });
});

describe('the wanted state', () => {
  it.each([
    ['createEscrow', order('ESCROW_FUNDING')],
    ['fundEscrow', order('IN_PROGRESS')],
    ['cancel', order('CLOSED', { closeReason: 'CANCELED' })],
    ['release', order('CLOSED', { closeReason: 'RELEASED' })],
    ['refund', order('CLOSED', { closeReason: 'REFUNDED' })],
  ] as const)('of orders.%s', async (name, wanted) => {
    server.reply(lost, wanted);
    const input = { reason: 'because' };
    const result =
      name === 'createEscrow' || name === 'fundEscrow' ? holdfast.orders[name]('ord_1') : holdfast.orders[name]('ord_1', input);
    expect(await result).toMatchObject({ id: 'ord_1', operation: null });
    expect(server.received).toHaveLength(2);
  });

  it('of a release differs from the outcome of a refund', async () => {
    server.reply(lost, order('CLOSED', { closeReason: 'REFUNDED' }));
    await expect(holdfast.orders.release('ord_1')).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('of a milestone ignores the other milestones', async () => {
    const milestones = (status: string) => ({
      milestones: [
        { ref: 'a', status: 'COMPLETED' },
        { ref: 'b', status },
      ],
    });
    server.reply(lost, order('IN_PROGRESS', milestones('OPEN')), lost, order('IN_PROGRESS', milestones('COMPLETED')));
    expect(await holdfast.orders.completeMilestone('ord_1', 'b')).toMatchObject({
      id: 'ord_1',
      milestone: { ref: 'b', status: 'COMPLETED' },
    });
  });

  it('of a dispute is the one that was to be opened', async () => {
    const opened = { dispute: dispute('OPEN', { openedBy: 'BUYER', reason: 'OTHER' }) };
    server.reply(lost, order('DISPUTED', opened));
    expect(await holdfast.disputes.open('ord_1', { openedBy: 'BUYER', reason: 'OTHER' })).toMatchObject({
      id: 'dsp_1',
      order: { status: 'DISPUTED' },
    });
    server.reply(lost, order('DISPUTED', opened));
    const other = holdfast.disputes.open('ord_1', { openedBy: 'SELLER', reason: 'OTHER' });
    await expect(other).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('of an assignment and of a resolution is in the dispute, and the order tells when they end', async () => {
    const assigned = dispute('UNDER_REVIEW', { assignedTo: 'agent-1' });
    server.reply(lost, success(assigned), order('DISPUTED', { dispute: assigned }));
    expect(await holdfast.disputes.assign('dsp_1', { assignedTo: 'agent-1' })).toMatchObject(assigned);
    const resolved = dispute('RESOLVED', { resolutionDecision: 'SPLIT', releaseAmount: '60.00' });
    const replies = [lost, success(assigned), order('RELEASE_REQUESTED', { dispute: assigned, ...running })];
    server.reply(...replies, success(resolved), order('CLOSED', { dispute: resolved }));
    const split = { decision: 'SPLIT', releaseAmount: '60', refundAmount: '40' } as const;
    expect(await holdfast.disputes.resolve('dsp_1', split)).toMatchObject(resolved);
    server.reply(lost, success(resolved), order('CLOSED', { dispute: resolved }));
    const other = holdfast.disputes.resolve('dsp_1', { ...split, releaseAmount: '50', refundAmount: '50' });
    await expect(other).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', details: { record: resolved } });
  });
});
