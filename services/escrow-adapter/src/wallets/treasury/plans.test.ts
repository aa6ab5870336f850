import type { LedgerAccount } from '../ports.js';
import { activationOperations, starterUnits } from './activation.js';
import { planTreasury } from './plan-treasury.js';
import { sweepOperations } from './sweep.js';

const whole = 10_000_000n;

function anAccount(xlm: bigint, usdc?: bigint): LedgerAccount {
  return {
    sequence: 1n,
    requiresMemo: false,
    balances: { XLM: xlm * whole, ...(usdc === undefined ? {} : { USDC: usdc * whole }) },
  };
}

describe('the plan of the treasury', () => {
  it('creates missing accounts and trustlines', () => {
    const missing = { address: 'C', account: undefined };
    const plan = planTreasury({
      treasury: anAccount(1_100n),
      platform: { address: 'P', account: undefined },
      channels: [missing],
    });
    expect(plan).toEqual([
      { does: 'trust', by: undefined },
      { does: 'create', address: 'P', units: 20n * whole },
      { does: 'trust', by: 'P' },
      { does: 'create', address: 'C', units: 500n * whole },
      { does: 'trust', by: 'C' },
    ]);
  });

  it('refills only accounts with less than half of their share', () => {
    const platform = { address: 'P', account: anAccount(15n, 7n) };
    const treasury = anAccount(1_100n, 200n);
    const channels = [
      { address: 'C', account: anAccount(400n, 10n) },
      { address: 'D', account: anAccount(400n, 90n) },
    ];
    expect(planTreasury({ treasury, platform, channels })).toEqual([{ does: 'pay', to: 'C', asset: 'USDC', units: 90n * whole }]);
    const full = channels.map((channel) => ({ ...channel, account: anAccount(400n, 100n) }));
    expect(planTreasury({ treasury: anAccount(1_100n, 100n), platform, channels: full })).toEqual([]);
  });
});

describe('the activation of a wallet', () => {
  it('adds only what the account is missing', () => {
    const trust = { does: 'trust', by: 'W' };
    expect(activationOperations('W', undefined)).toEqual([{ does: 'create', address: 'W', units: starterUnits }, trust]);
    expect(activationOperations('W', anAccount(9n))).toEqual([
      { does: 'pay', to: 'W', asset: 'XLM', units: starterUnits },
      trust,
    ]);
    expect(activationOperations('W', anAccount(9n, 0n))).toEqual([]);
  });
});

describe('the sweep of a wallet', () => {
  const own = { USDC: 40n * whole, XLM: 2n * whole };

  it('leaves the balance of the user and the XLM that the wallet needs', () => {
    expect(sweepOperations('W', 'T', { account: anAccount(10n, 100n), own })).toEqual([
      { does: 'pay', by: 'W', to: 'T', asset: 'USDC', units: 60n * whole },
      { does: 'pay', by: 'W', to: 'T', asset: 'XLM', units: 3n * whole },
    ]);
    expect(sweepOperations('W', 'T', { account: anAccount(7n, 40n), own })).toEqual([]);
  });

  it('refills a wallet that is low on XLM', () => {
    expect(sweepOperations('W', 'T', { account: anAccount(2n, 0n), own: { USDC: 0n, XLM: 0n } })).toEqual([
      { does: 'pay', to: 'W', asset: 'XLM', units: 3n * whole },
    ]);
  });
});
