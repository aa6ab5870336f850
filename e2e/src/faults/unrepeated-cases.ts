import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as message from '@holdfast/contracts/messages';
import type { MessageDeclaration } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { formatUnits } from '@holdfast/kernel/money';
import { eventually } from '@holdfast/testing/eventually';
import { sandboxVariables } from '@holdfast/testing/sandbox';
import { spendAs } from '../public-network/strangers.js';
import { runProgram } from '../testing/program.js';
import { aUser, textOf } from './order-life.js';
import { aPayment, bringPaymentTo, callWhenPossible, expectPaymentEnd } from './payment-life.js';
import type { Platform } from './platform.js';

/** A message that no saga run resends, and that the broker loses once. */
export type UnrepeatedLoss = {
  readonly name: string;
  readonly message: MessageDeclaration;
  readonly prepare: (platform: Platform) => Promise<Prepared>;
};

export type Prepared = {
  /** A text in the message. Empty where nothing in it is known before; there is no other one at the time. */
  readonly about: string;
  readonly cause: () => Promise<unknown>;
  /** What the message leads to, once. */
  readonly expectEffect: () => Promise<void>;
  readonly after?: () => Promise<void>;
};

/** Nothing that the platform's users or providers do leads to these within a test; they are tested in the services. */
export const unrepeatedWithoutCause: readonly string[] = [
  'balance.difference_found',
  'custody.unconfirmed_deposit_found',
  'escrow.dispute_seen',
  'escrow.milestone_seen',
];

const deposited = '5.00';

export const depositLoss = loss(message.balanceDepositReceived, async (platform) => {
  const { userId, address } = await aDepositor(platform);
  return {
    about: userId,
    cause: () => platform.sandbox.give(address, 'USDC', deposited),
    expectEffect: async () => {
      const { data } = await platform.api.get(`/users/${userId}/balance?currency=USDC`);
      expect(data).toMatchObject({ available: deposited, reserved: '0.00' });
    },
  };
});

/** Every message that its consumers acknowledge. */
export const allUnrepeatedLosses: readonly UnrepeatedLoss[] = [
  depositLoss,
  loss(message.custodyTransactionsLanded, async (platform) => {
    const { userId, address } = await aDepositor(platform);
    return {
      about: userId,
      cause: () => platform.sandbox.give(address, 'USDC', deposited),
      expectEffect: async () => expect(await bookedInWallet(platform, userId)).toEqual([deposited]),
    };
  }),
  loss(message.custodyUnknownDepositFound, async (platform) => {
    const { userId, address } = await aDepositor(platform);
    return {
      about: userId,
      cause: () => platform.sandbox.leaveToClaim(address, deposited),
      expectEffect: async () => expect(await casesOf(platform, userId)).toEqual(['unknown_deposit']),
    };
  }),
  loss(message.custodyRecordQuarantined, async (platform) => {
    const { userId, address } = await aDepositor(platform);
    await platform.sandbox.arm({ target: 'ledger-network', operation: 'history', kind: 'unknown-operation', times: 1 });
    return {
      about: userId,
      cause: () => platform.sandbox.give(address, 'USDC', deposited),
      expectEffect: async () => expect(await casesOf(platform, userId)).toEqual(['quarantined_record']),
    };
  }),
  loss(message.custodyUnknownOutflowFound, async (platform) => ({
    about: '',
    cause: () => stealFromTreasury(platform),
    expectEffect: async () => expect(await casesOfKind(platform, 'unknown_outflow')).toBe(1),
  })),
  loss(message.caseResolved, async (platform) => {
    const payment = await aPayment(platform, 'late');
    await bringPaymentTo(platform, payment, 'resolve-case');
    return {
      about: '',
      cause: () => callWhenPossible(platform, payment, 'resolve-case'),
      expectEffect: () => expectPaymentEnd(platform, payment),
    };
  }),
  loss(message.providerAccountChanged, async (platform) => {
    await expectPaymentEnd(platform, await aPayment(platform, 'top-up'));
    const before = await providerCosts(platform);
    return {
      about: '',
      // The report is the first to see the provider's fee.
      cause: () => platform.api.post('/reconciliation/reports', {}),
      expectEffect: async () => expect(await providerCosts(platform)).toBeGreaterThan(before),
    };
  }),
  loss(message.emergencyStopChanged, async (platform) => ({
    about: '',
    cause: () => emergency(platform, 'stop'),
    expectEffect: async () => expect(await stops(platform)).toEqual([true, true, true]),
    after: async () => {
      await emergency(platform, 'resume');
      await eventually(async () => expect(await stops(platform)).toEqual([false, false, false]));
    },
  })),
  loss(message.marketplaceChanged, async (platform) => {
    const { data } = await platform.api.post('/marketplaces', { name: 'Deadlines' });
    const id = textOf(data, 'id');
    return {
      about: id,
      cause: () => platform.api.patch(`/marketplaces/${id}`, { disputeResponsePeriod: 'P3D' }),
      expectEffect: async () => expect(await responsePeriodsOf(platform, id)).toEqual([{ period: 'P3D' }]),
    };
  }),
  loss(message.testClockAdvanced, async (platform) => {
    const { data } = await platform.api.get('/test-clock');
    const offsetSeconds = Number(data['offsetSeconds']) + hourSeconds;
    return {
      about: '',
      cause: () => platform.api.post('/test-clock/advance', { by: 'PT1H' }),
      expectEffect: async () =>
        expect(await clocksOf(platform)).toEqual([
          { orders: offsetSeconds, payments: offsetSeconds, notifications: offsetSeconds },
        ]),
    };
  }),
  loss(message.userLedgerLinked, async (platform) => {
    let userId = '';
    return {
      about: '',
      cause: async () => {
        userId = await aUser(platform.api, 'owner');
        await platform.api.get(`/users/${userId}/wallet`);
      },
      expectEffect: async () => {
        const wallet = await platform.api.get(`/users/${userId}/wallet`);
        const { data } = await platform.api.get(`/users/${userId}`);
        expect(data['ledgerAddress']).toBe(textOf(wallet.data, 'publicKey'));
      },
    };
  }),
  loss(message.userPaymentAccountLinked, async (platform) => {
    const userId = await aUser(platform.api, 'payer');
    return {
      about: userId,
      cause: () => platform.api.post(`/users/${userId}/payment-account/link`, { email: `${userId.toLowerCase()}@example.com` }),
      expectEffect: async () => {
        const { data } = await platform.api.get(`/users/${userId}`);
        expect(data['paymentAccountUserId']).toEqual(expect.any(String));
      },
    };
  }),
  loss(message.userChanged, async (platform) => {
    const userId = await aUser(platform.api, 'suspended');
    return {
      about: userId,
      cause: () => platform.api.patch(`/users/${userId}`, { status: 'SUSPENDED' }),
      expectEffect: async () => {
        const { code } = await platform.api.post(`/users/${userId}/balance/reserve`, { amount: '1.00' });
        expect(code).toBe('USER_NOT_ACTIVE');
      },
    };
  }),
  loss(message.apiKeyRotated, async (platform) => {
    const keyId = await anApiKey(platform);
    return {
      about: keyId,
      cause: () => platform.api.post(`/auth/api-keys/${keyId}/rotate`, {}),
      expectEffect: async () => expect(await keyChanges(platform, keyId)).toBe(1),
    };
  }),
  loss(message.apiKeyRevoked, async (platform) => {
    const keyId = await anApiKey(platform);
    return {
      about: keyId,
      cause: () => platform.api.delete(`/auth/api-keys/${keyId}`),
      expectEffect: async () => expect(await keyChanges(platform, keyId)).toBe(1),
    };
  }),
];

function loss(declaration: MessageDeclaration, prepare: UnrepeatedLoss['prepare']): UnrepeatedLoss {
  return { name: declaration.type, message: declaration, prepare };
}

const hourSeconds = 3_600;

const selectClocks = `
  select orders.clock_offset_seconds as orders, payments.offset_seconds as payments, notifications.offset_seconds as notifications
  from orders.marketplaces as orders
  join payments.test_clocks as payments on payments.marketplace_id = orders.id
  join notifications.test_clocks as notifications on notifications.marketplace_id = orders.id
  where orders.id = $1`;

/** How far the services know the clock of the default marketplace to be ahead. */
function clocksOf({ database }: Platform): Promise<readonly unknown[]> {
  return database.asAdmin(selectClocks, [defaultMarketplaceId]);
}

/** The response periods, as orders knows them. */
function responsePeriodsOf({ database }: Platform, marketplaceId: string): Promise<readonly unknown[]> {
  const text = 'select dispute_response_period as period from orders.marketplaces where id = $1';
  return database.asAdmin(text, [marketplaceId]);
}

async function aDepositor({ api }: Platform): Promise<{ readonly userId: string; readonly address: string }> {
  const userId = await aUser(api, 'depositor');
  const { status, data } = await api.get(`/users/${userId}/wallet/deposit`);
  expect(status).toBe(200);
  return { userId, address: textOf(data, 'address') };
}

const selectBooked = `
  select custody_balances.units::text as units
  from ledger_balance.custody_balances
  join ledger_balance.accounts on accounts.id = custody_balances.account_id
  where accounts.owner = $1 and accounts.currency = 'chain:USDC'`;

async function bookedInWallet({ database }: Platform, userId: string): Promise<readonly string[]> {
  const rows = await database.asAdmin<{ readonly units: string }>(selectBooked, [`wallet:${userId}`]);
  return rows.map(({ units }) => formatUnits(BigInt(units)));
}

async function casesOf({ database }: Platform, userId: string): Promise<readonly string[]> {
  const sql = 'select kind from payments.reconciliation_cases where user_id = $1';
  return (await database.asAdmin<{ readonly kind: string }>(sql, [userId])).map(({ kind }) => kind);
}

async function casesOfKind({ database }: Platform, kind: string): Promise<number> {
  return (await database.asAdmin('select id from payments.reconciliation_cases where kind = $1', [kind])).length;
}

/** What the journal has booked as fees of the payment provider, in units. */
async function providerCosts({ database }: Platform): Promise<number> {
  const [row] = await database.asAdmin<{ readonly units: string | null }>(
    `select abs(sum(legs.units))::text as units
     from ledger_balance.legs
     join ledger_balance.accounts on accounts.id = legs.account_id
     where accounts.owner = 'provider_costs'`,
  );
  return Number(row?.units ?? 0);
}

/** A thief of its seed pays with the treasury. */
async function stealFromTreasury({ sandbox: { url }, commandSettings = {} }: Platform): Promise<void> {
  const seed = readFileSync(path.join(commandSettings['HOLDFAST_DATA_DIR'] ?? '', 'treasury-seed'), 'utf8').trim();
  await spendAs({ url, variables: await sandboxVariables(url) }, seed, '1');
}

async function emergency({ commandSettings = {} }: Platform, command: 'stop' | 'resume'): Promise<void> {
  const { code } = await runProgram('emergency', commandSettings, command, '--by', 'Ada', '--reason', 'a drill');
  expect(code).toBe(0);
}

async function stops({ database }: Platform): Promise<readonly boolean[]> {
  const sql = `
    select is_stopped from escrow_adapter.emergency_stop
    union all
    select is_stopped from orders.emergency_stop
    union all
    select is_stopped from payments.emergency_stop`;
  return (await database.asAdmin<{ readonly is_stopped: boolean }>(sql)).map((row) => row.is_stopped);
}

async function anApiKey({ api }: Platform): Promise<string> {
  const { status, data } = await api.post('/auth/api-keys', { name: 'to be changed', scopes: ['read'] });
  expect(status).toBe(201);
  return textOf(data, 'id');
}

async function keyChanges({ database }: Platform, keyId: string): Promise<number> {
  return (await database.asAdmin('select 1 from notifications.key_changes where api_key_id = $1', [keyId])).length;
}
