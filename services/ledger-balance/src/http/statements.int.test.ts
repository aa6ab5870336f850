import { readFileSync } from 'node:fs';
import type { StatementView } from '@holdfast/contracts/http';
import * as message from '@holdfast/contracts/messages';
import { systemClock, toInstant } from '@holdfast/kernel/context';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { playMilestones } from '../testing/play-milestones.js';
import { ledgerTables, startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
}, serverStartTimeoutMs);

afterAll(() => ledger.checkAndStop());

const clock = systemClock();
const hourMs = 3_600_000;
const inHours = (hours: number) => toInstant(clock.epochMs() + hours * hourMs);
const around = () => `from=${inHours(-1)}&to=${inHours(1)}`;
const pathOf = (userId: string, query: string): string => `/users/${userId}/statements?${query}`;

async function statementOf(userId: string, query = around()): Promise<StatementView> {
  const { status, data } = await ledger.get(pathOf(userId, query));
  expect(status).toBe(200);
  return data as StatementView;
}

/** What a line says, without its time and its ids. */
function shownLines({ lines }: StatementView, userId: string): readonly (readonly unknown[])[] {
  return lines.map(({ amount, available, reserved, description }) => [
    amount,
    available,
    reserved,
    description.replace(userId, 'user'),
  ]);
}

async function credit(userId: string, amount: string, description?: string): Promise<string> {
  const { status, data } = await ledger.post(`/users/${userId}/balance/credit`, { amount, description });
  expect(status).toBe(200);
  return data.updatedAt;
}

describe('GET /users/{userId}/statements', () => {
  it('200 shows both sides of an order what each line was for, and the seller which fees were kept', async () => {
    const { sellerId, buyerId } = await playMilestones(ledger, 'ord_told');
    const ofSeller = await statementOf(sellerId);
    expect(shownLines(ofSeller, sellerId)).toEqual([
      ['38.00', '38.00', '0.00', 'Payment for order ord_told, milestone draft'],
      ['14.25', '52.25', '0.00', 'Share after a dispute for order ord_told, milestone final'],
    ]);
    expect(ofSeller.totals).toEqual({ in: '52.25', out: '0.00', fees: '2.75' });
    expect(ofSeller.lines[0]).toMatchObject({ type: 'ESCROW_PAYOUT', orderId: 'ord_told', milestoneRef: 'draft', topupId: null });
    const ofBuyer = await statementOf(buyerId);
    expect(shownLines(ofBuyer, buyerId)).toEqual([
      ['80.00', '80.00', '0.00', 'Credit'],
      ['0.00', '0.00', '80.00', 'Reserved for order ord_told'],
      ['-80.00', '0.00', '0.00', 'Paid into escrow for order ord_told'],
      ['25.00', '25.00', '0.00', 'Share after a dispute for order ord_told, milestone final'],
    ]);
    expect(ofBuyer.totals).toEqual({ in: '105.00', out: '80.00', fees: '0.00' });
    expect(ofBuyer.closing).toEqual({ available: '25.00', reserved: '0.00' });
  });

  it('200 names the top-up and the withdrawal of a line', async () => {
    const userId = await ledger.aUser();
    const topup = { topupId: 'topup_1', userId, amount: '25.00', currency: 'USD' } as const;
    await ledger.publish(message.topupCreditRequested, 'topup_1', topup);
    await ledger.reply('balance.topup_credited', 'topup_1');
    const withdrawal = { withdrawalId: 'wd_1', userId, amount: '20.00', currency: 'USD' } as const;
    await ledger.publish(message.withdrawalReserveRequested, 'wd_1', withdrawal);
    await ledger.reply('balance.withdrawal_reserved', 'wd_1');
    const { lines } = await statementOf(userId);
    expect(lines).toMatchObject([
      { topupId: 'topup_1', withdrawalId: null, description: 'Top-up topup_1' },
      { topupId: null, withdrawalId: 'wd_1', amount: '0.00', description: 'Withdrawal wd_1: amount reserved' },
    ]);
  });

  it('200 counts a line of exactly `to`, none of exactly `from`, as GET balance?at= does, so that periods join', async () => {
    const userId = await ledger.aUser();
    const times = [await credit(userId, '1.00'), await credit(userId, '2.00'), await credit(userId, '4.00')] as const;
    const first = await statementOf(userId, `from=${inHours(-1)}&to=${times[1]}`);
    const second = await statementOf(userId, `from=${times[1]}&to=${times[2]}`);
    expect([first.lines.length, second.lines.length]).toEqual([2, 1]);
    expect([first.closing, second.opening, second.closing.available]).toEqual([second.opening, first.closing, '7.00']);
    for (const { from, to, opening, closing } of [first, second]) {
      expect((await ledger.get(`/users/${userId}/balance?at=${from}`)).data).toMatchObject(opening);
      expect((await ledger.get(`/users/${userId}/balance?at=${to}`)).data).toMatchObject(closing);
    }
  });

  it('200 page by page, with the sums of the whole period on each; 400 VALIDATION_ERROR for a cursor of another period', async () => {
    const userId = await ledger.aUser();
    for (let count = 0; count < 5; count += 1) await credit(userId, '1.00');
    const period = around();
    const amounts: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: StatementView = await statementOf(userId, `${period}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect([page.totals.in, page.closing.available, page.hasMore]).toEqual(['5.00', '5.00', page.nextCursor !== null]);
      amounts.push(...page.lines.map(({ available }) => available));
      cursor = page.nextCursor;
    }
    expect(amounts).toEqual(['1.00', '2.00', '3.00', '4.00', '5.00']);
    const { lines } = await statementOf(userId, period);
    const late = lines.at(-1)?.transferId ?? '';
    const early = `from=${inHours(-1)}&to=${lines[3]?.at ?? ''}`;
    for (const wrong of [`${early}&cursor=${late}`, `${period}&cursor=tr_1`, `${period}&currency=XLM&cursor=${late}`])
      expect((await ledger.get(pathOf(userId, wrong))).code).toBe('VALIDATION_ERROR');
  });

  it('200 with zeros for a period before the user existed, and for a currency that the user never had', async () => {
    const userId = await ledger.aUser({ available: '5.00' });
    const zero = { available: '0.00', reserved: '0.00' };
    const empty = { opening: zero, closing: zero, lines: [], isComplete: true, hasMore: false };
    expect(await statementOf(userId, 'from=2020-01-01&to=2020-02-01')).toMatchObject({
      ...empty,
      to: '2020-02-01T00:00:00.000000Z',
    });
    expect(await statementOf(userId, `from=${inHours(-2)}&to=${inHours(-1)}&currency=XLM`)).toMatchObject(empty);
    expect((await ledger.get(`/users/${userId}/balances`)).data.data).toHaveLength(1);
  });

  it('404 USER_NOT_FOUND for a user of another marketplace', async () => {
    const userId = await ledger.aUser({ available: '5.00' });
    const { status, code } = await ledger.get(pathOf(userId, around()), { marketplaceId: 'mkt_other' });
    expect([status, code]).toEqual([404, 'USER_NOT_FOUND']);
    expect((await ledger.get(pathOf('ord_1', around()))).code).toBe('USER_NOT_FOUND');
  });

  it.each([
    'from=2026-02-01&to=2026-01-01',
    'from=2026-01-01&to=2026-01-01',
    'from=2024-01-01&to=2025-01-02T00:00:00.001Z',
    'from=2026-01-01&to=9999-01-01',
    'from=2026-01-01',
    'to=2026-01-01',
    'from=yesterday&to=2026-01-01',
    'from=2026-01-01&to=2026-02-01&currency=EUR',
    'from=2026-01-01&to=2026-02-01&limit=1001',
    'from=2026-01-01&to=2026-02-01&limit=0',
    'from=2026-01-01&to=2026-02-01&page=2',
    'from=2999-01-01&to=2999-02-01',
  ])('400 VALIDATION_ERROR for %s', async (query) => {
    const { status, code } = await ledger.get(pathOf('usr_nobody', query));
    expect([status, code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('the migration to statements', () => {
  it('finds the milestone and the fee of payouts that were booked before', async () => {
    const { sellerId } = await playMilestones(ledger, 'ord_earlier');
    const before = await statementOf(sellerId);
    const sql = readFileSync(new URL('../../migrations/0004-statements.sql', import.meta.url), 'utf8');
    const updates = sql.split(';').filter((statement) => /^update /m.test(statement));
    expect(updates).toHaveLength(2);
    await ledger.database.asAdmin('update ledger_balance.transfers set milestone_ref = null, fee_units = null');
    expect((await statementOf(sellerId)).totals.fees).toBe('0.00');
    for (const update of updates)
      await ledger.database.asAdmin(update.replaceAll(/(update|join|from) (transfers|legs|accounts)\b/g, '$1 ledger_balance.$2'));
    const { from: _from, to: _to, ...after } = await statementOf(sellerId);
    expect(before).toMatchObject(after);
  });
});

describe('a complete statement', () => {
  it('has an end that has passed: one in the future is cut to now', async () => {
    const userId = await ledger.aUser({ available: '5.00' });
    const open = await statementOf(userId);
    expect(open.isComplete).toBe(false);
    expect(open.to <= clock.now()).toBe(true);
    expect(await statementOf(userId, `from=${open.from}&to=${open.to}`)).toEqual({ ...open, isComplete: true });
  });

  it('is not there while a posting that has begun is open, and has its line afterwards', async () => {
    const userId = await ledger.aUser({ available: '5.00' });
    const tables = await ledger.database.open(ledgerTables);
    const query = await tables.inTransaction(async (tx) => {
      await tx.query('select id from accounts where owner = $1 for update', [userId]);
      const inPeriod = `from=${inHours(-1)}&to=${clock.now()}`;
      expect((await statementOf(userId, inPeriod)).isComplete).toBe(false);
      return inPeriod;
    });
    const { isComplete, to } = await statementOf(userId, query);
    expect(isComplete).toBe(true);
    expect((await credit(userId, '1.00')) > to).toBe(true);
    await tables.close();
  });
});

describe('GET /users/{userId}/statements as text/csv', () => {
  const csv = (userId: string, init: RequestInit = {}, accept = 'text/csv') =>
    ledger.fetch(pathOf(userId, around()), { ...init, headers: { accept } });

  it('200 is one file: a header, the lines, and the closing balance at the end', async () => {
    const userId = await ledger.aUser();
    await credit(userId, '10.00', '=HYPERLINK("x"),\n"');
    await credit(userId, '2.50', '-5');
    await ledger.post(`/users/${userId}/balance/debit`, { amount: '0.50', description: 'Fee, January' });
    const response = await csv(userId);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="statement-usr_\w+-USD-[\d-]+\.csv"$/);
    const text = await response.text();
    const { lines } = await statementOf(userId);
    const [start, second, third] = lines.map(({ at, transferId }) => ({ at, transferId }));
    expect(text).toBe(
      [
        'at,type,amount,available,reserved,transferId,orderId,milestoneRef,topupId,withdrawalId,description',
        `${start?.at},CREDIT,10.00,10.00,0.00,${start?.transferId},,,,,"'=HYPERLINK(""x""),\n"""`,
        `${second?.at},CREDIT,2.50,12.50,0.00,${second?.transferId},,,,,'-5`,
        `${third?.at},DEBIT,-0.50,12.00,0.00,${third?.transferId},,,,,"Fee, January"`,
        'closing,,,12.00,0.00,,,,,,',
        '',
      ].join('\r\n'),
    );
  });

  it.each(['*/*', 'text/html', 'application/json, text/csv;q=0.5', ''])('200 is JSON for Accept: %s', async (accept) => {
    const response = await csv(await ledger.aUser(), {}, accept);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    await response.text();
  });

  it('404 USER_NOT_FOUND is JSON, too', async () => {
    const response = await csv('usr_nobody');
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'USER_NOT_FOUND' } }]);
  });

  it('200 for HEAD with its headers, and reads nothing', async () => {
    const response = await csv(await ledger.aUser(), { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/csv; charset=utf-8',
      '',
    ]);
  });

  it('429 RATE_LIMITED for more files at a time than a marketplace may have, until one is read or given up', async () => {
    const userId = await ledger.aUser();
    await fillHistory(userId, 2_000);
    const responses = await Promise.all(Array.from({ length: 5 }, () => csv(userId)));
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    for (const response of responses) await response.body?.cancel();
    await eventually(async () => {
      const response = await csv(userId);
      expect(response.status).toBe(200);
      expect((await response.text()).split('\r\n').length).toBe(2_004);
    });
    await ledger.database.asAdmin(`delete from ledger_balance.transfers where cause like 'filled_%'`);
  });

  /** A history that is longer than the buffers of a connection. */
  async function fillHistory(userId: string, count: number): Promise<void> {
    await credit(userId, '1.00');
    await ledger.database.asAdmin(
      `with account as (select id from ledger_balance.accounts where owner = $1)
      insert into ledger_balance.transfers (id, cause, type, marketplace_id, account_id, available_change_units,
        reserved_change_units, available_units, reserved_units, account_version, description, created_at)
      select 'tr_filled' || n, 'filled_' || n, 'CREDIT', 'mkt_default', account.id, 0, 0, 10000000, 0, n + 1, repeat('x', 5000), now()
      from account, generate_series(1, $2::integer) as n`,
      [userId, count],
    );
  }
});
