import { activationOperations } from './activation.js';
import { planRefill } from '../../domain/plan-refill.js';
import { planTreasury } from '../../domain/plan-treasury.js';
import type { Holding } from './ports.js';
import { sweepOperations } from './sweep-wallets.js';
import type { LedgerAccount } from '@holdfast/ledger-network/horizon';

const whole = 10_000_000n;

function anAccount(xlm: bigint, usdc?: bigint, reservedXlm = 0n): LedgerAccount {
  return {
    sequence: 1n,
    requiresMemo: false,
    reservedUnits: reservedXlm * whole,
    balances: { XLM: xlm * whole, ...(usdc === undefined ? {} : { USDC: usdc * whole }) },
  };
}

const aTreasury = (account: LedgerAccount) => ({ ...account, address: 'T' });
const aChannel = (address: string, account: LedgerAccount | undefined, isFree = true) => ({ address, account, isFree });

describe('the plan of the treasury', () => {
  it('creates missing accounts and trustlines', () => {
    const plan = planTreasury({
      treasury: aTreasury(anAccount(1_100n)),
      platform: { address: 'P', account: undefined },
      channels: [aChannel('C', undefined)],
    });
    expect(plan).toEqual([
      { does: 'trust', by: undefined },
      { does: 'create', address: 'P', units: 20n * whole },
      { does: 'trust', by: 'P' },
      { does: 'create', address: 'C', units: 500n * whole },
      { does: 'trust', by: 'C' },
    ]);
  });

  const platform = { address: 'P', account: anAccount(15n, 7n) };

  it('refills only accounts with less than half of their share', () => {
    const treasury = aTreasury(anAccount(1_100n, 200n));
    const channels = [aChannel('C', anAccount(400n, 10n)), aChannel('D', anAccount(400n, 90n))];
    expect(planTreasury({ treasury, platform, channels })).toEqual([{ does: 'pay', to: 'C', asset: 'USDC', units: 90n * whole }]);
    const full = channels.map((channel) => ({ ...channel, account: anAccount(400n, 100n) }));
    expect(planTreasury({ treasury: aTreasury(anAccount(1_100n, 100n)), platform, channels: full })).toEqual([]);
  });

  it('collects from a free channel with more than twice its share, and refills the others from it', () => {
    const treasury = aTreasury(anAccount(1_100n, 0n));
    const channels = (isFree: boolean) => [aChannel('C', anAccount(400n, 0n)), aChannel('D', anAccount(400n, 300n), isFree)];
    expect(planTreasury({ treasury, platform, channels: channels(true) })).toEqual([
      { does: 'pay', by: 'D', to: 'T', asset: 'USDC', units: 200n * whole },
      { does: 'pay', to: 'C', asset: 'USDC', units: 100n * whole },
    ]);
    expect(planTreasury({ treasury, platform, channels: channels(false) })).toEqual([]);
  });

  it('spends no XLM that the network reserves for the wallets which the treasury sponsors', () => {
    const treasury = aTreasury(anAccount(1_100n, 0n, 950n));
    const channels = [aChannel('C', anAccount(20n, 0n)), aChannel('D', anAccount(2n, 0n))];
    expect(planTreasury({ treasury, platform, channels })).toEqual([{ does: 'pay', to: 'D', asset: 'XLM', units: 16n * whole }]);
  });
});

describe('the refill of a channel', () => {
  const held = new Map([
    ['T', 10n],
    ['C', 30n],
    ['D', 40n],
    ['E', 20n],
  ]);
  const planOf = (units: bigint, free = ['C', 'D', 'E']) => planRefill({ asset: 'USDC', units }, { treasury: 'T', free, held });
  const pay = (units: bigint, by?: string) => ({
    does: 'pay',
    to: 'D',
    asset: 'USDC',
    units,
    ...(by === undefined ? {} : { by }),
  });

  it('takes from the treasury first, then from the richest channels, and no more than is missing', () => {
    expect(planOf(45n)).toEqual([pay(5n)]);
    expect(planOf(75n)).toEqual([pay(10n), pay(25n, 'C')]);
  });

  it('can collect the whole treasury, and not more', () => {
    expect(planOf(100n)).toEqual([pay(10n), pay(30n, 'C'), pay(20n, 'E')]);
    expect(planOf(101n)).toEqual([]);
  });

  it('leaves out channels that are paying', () => {
    expect(planOf(60n, ['D', 'E'])).toEqual([pay(10n), pay(10n, 'E')]);
    expect(planOf(75n, ['D', 'E'])).toEqual([]);
    expect(planOf(1n, [])).toEqual([]);
  });
});

describe('the activation of a wallet', () => {
  it('adds only what the account is missing, and the treasury holds the reserves', () => {
    const [sponsor, create] = [
      { does: 'sponsor', address: 'W' },
      { does: 'create', address: 'W', units: 0n },
    ];
    const rest = [
      { does: 'trust', by: 'W' },
      { does: 'end-sponsoring', by: 'W' },
    ];
    expect(activationOperations('W', undefined)).toEqual([sponsor, create, ...rest]);
    expect(activationOperations('W', anAccount(9n))).toEqual([sponsor, ...rest]);
    expect(activationOperations('W', anAccount(9n, 0n))).toEqual([]);
  });
});

describe('the sweep of a wallet', () => {
  const own = { USDC: 40n * whole, XLM: 2n * whole };
  const heldOf = (xlm: bigint, usdc: bigint, uncreditedUnits = 0n): readonly Holding[] => [
    { userId: 'usr_1', asset: 'XLM', units: xlm * whole, uncreditedUnits },
    { userId: 'usr_1', asset: 'USDC', units: usdc * whole, uncreditedUnits },
  ];

  it('leaves the balance of the user and nothing else', () => {
    expect(sweepOperations('W', 'T', { account: anAccount(10n, 100n), own, held: heldOf(10n, 100n) })).toEqual([
      { does: 'pay', by: 'W', to: 'T', asset: 'USDC', units: 60n * whole },
      { does: 'pay', by: 'W', to: 'T', asset: 'XLM', units: 8n * whole },
    ]);
    expect(sweepOperations('W', 'T', { account: anAccount(2n, 40n), own, held: heldOf(2n, 40n) })).toEqual([]);
    expect(sweepOperations('W', 'T', { account: anAccount(0n, 0n), own, held: heldOf(0n, 0n) })).toEqual([]);
  });

  it('leaves what was not published yet, and deposits that are not credited', () => {
    const account = anAccount(2n, 100n);
    expect(sweepOperations('W', 'T', { account, own, held: [] })).toEqual([]);
    expect(sweepOperations('W', 'T', { account, own, held: heldOf(2n, 90n) })).toMatchObject([{ units: 50n * whole }]);
    expect(sweepOperations('W', 'T', { account, own, held: heldOf(2n, 100n, 10n * whole) })).toMatchObject([
      { units: 50n * whole },
    ]);
    expect(sweepOperations('W', 'T', { account, own, held: heldOf(2n, 100n, 60n * whole) })).toEqual([]);
  });

  it('leaves the reserve of an account without a sponsor', () => {
    const held = heldOf(7n, 0n);
    expect(sweepOperations('W', 'T', { account: anAccount(7n, 0n, 1n), own: { USDC: 0n, XLM: 0n }, held })).toEqual([
      { does: 'pay', by: 'W', to: 'T', asset: 'XLM', units: 6n * whole },
    ]);
  });
});
