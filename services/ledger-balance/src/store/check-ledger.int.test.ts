import { caseBookingRequested } from '@holdfast/contracts/messages';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';
import { type ledgerChecks } from './sql/ledger-checks.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

/** One corruption per rule, and the statement that reverts it. */
const corruptions: Readonly<Record<keyof typeof ledgerChecks, readonly [corrupt: string, revert: string]>> = {
  'the legs of a transfer sum to zero': [
    'update legs set units = units + 1 where transfer_id = $1 and units > 0',
    'update legs set units = units - 1 where transfer_id = $1 and units > 0',
  ],
  'the legs of a transfer are of one currency': [
    'update legs set account_id = account_id + 1000000 where transfer_id = $1 and units < 0',
    'update legs set account_id = account_id - 1000000 where transfer_id = $1 and units < 0',
  ],
  'every leg belongs to a transfer and every transfer has legs': [
    "update legs set transfer_id = 'x' || transfer_id where transfer_id = $1",
    "update legs set transfer_id = substr(transfer_id, 2) where transfer_id = 'x' || $1",
  ],
  'an available balance is the sum of its legs': [
    'update accounts set available_units = available_units + 1 where id = (select account_id from transfers where id = $1)',
    'update accounts set available_units = available_units - 1 where id = (select account_id from transfers where id = $1)',
  ],
  'a custody balance is the sum of its legs': [
    "insert into custody_balances select id, 1 from ledger_balance.accounts where kind = 'chain' and $1 <> ''",
    "delete from custody_balances where $1 <> ''",
  ],
  'a reserved balance is the sum of its legs': [
    'update accounts set reserved_units = reserved_units + 1 where id = (select account_id from transfers where id = $1)',
    'update accounts set reserved_units = reserved_units - 1 where id = (select account_id from transfers where id = $1)',
  ],
  'a reserved balance is the sum of its active reservations': [
    'update reservations set active_units = active_units + 1 where account_id = (select account_id from transfers where id = $1)',
    'update reservations set active_units = active_units - 1 where account_id = (select account_id from transfers where id = $1)',
  ],
  'no balance is below zero': [
    'update accounts set available_units = available_units - 500000000 where id = (select account_id from transfers where id = $1)',
    'update accounts set available_units = available_units + 500000000 where id = (select account_id from transfers where id = $1)',
  ],
  'a settled case takes out of the suspense account what it brought': [
    "update transfers set cause = 'case-settled:rcc_1' where cause = 'case-opened:rcc_1' and $1 <> ''",
    "update transfers set cause = 'case-opened:rcc_1' where cause = 'case-settled:rcc_1' and $1 <> ''",
  ],
  'the last transfer of a user shows the balance': [
    'update transfers set available_units = available_units + 1 where account_id = (select account_id from transfers where id = $1)',
    'update transfers set available_units = available_units - 1 where account_id = (select account_id from transfers where id = $1)',
  ],
  'the changes of a user add up to the balances after each transfer': [
    'update transfers set reserved_change_units = reserved_change_units + 1 where id = $1',
    'update transfers set reserved_change_units = reserved_change_units - 1 where id = $1',
  ],
};

describe('the ledger check', () => {
  let transferId = '';

  beforeAll(async () => {
    const userId = await ledger.aUser({ available: '10.00' });
    transferId = (await ledger.post(`/users/${userId}/balance/reserve`, { amount: '4.00' })).data.transferId as string;
    const opened = { caseId: 'rcc_1', kind: 'late_money', origin: 'payins', amount: '5.00', currency: 'USD' } as const;
    await ledger.publish(caseBookingRequested, 'rcc_1', opened);
    await ledger.reply('balance.case_booked', 'rcc_1');
    const emptyWallet =
      "insert into accounts (kind, owner, currency, updated_at) values ('chain', 'treasury', 'chain:XLM', now())";
    await ledger.database.asAdmin(inSchema(emptyWallet));
    await ledger.database.asAdmin('alter table ledger_balance.accounts drop constraint accounts_available_units_check');
    await ledger.database.asAdmin('alter table ledger_balance.accounts drop constraint accounts_reserved_units_check');
  });

  it('finds no discrepancy in a consistent ledger, and counts its rows', async () => {
    const report = await ledger.checkLedger();
    expect(report).toMatchObject({ transfers: 3n, accounts: 5n, discrepancies: [] });
  });

  it.each(Object.entries(corruptions))('finds a violation of: %s', async (rule, [corrupt, revert]) => {
    await ledger.database.asAdmin(inSchema(corrupt), [transferId]);
    const report = await ledger.checkLedger();
    await ledger.database.asAdmin(inSchema(revert), [transferId]);
    expect(report.discrepancies.map((discrepancy) => discrepancy.rule)).toContain(rule);
    expect((await ledger.checkLedger()).discrepancies).toEqual([]);
  });
});

function inSchema(sql: string): string {
  return sql.replaceAll(/\b(update|from|into) (legs|accounts|transfers|reservations|custody_balances)/g, '$1 ledger_balance.$2');
}
