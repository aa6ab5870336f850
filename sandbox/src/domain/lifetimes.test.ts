import { afterCall, extended, isLive, newLifetime } from './lifetimes.js';

const single = { isSingleRelease: true, hasMovedTokens: false };
const multi = { isSingleRelease: false, hasMovedTokens: false };

describe('lifetimes of the entries of a contract', () => {
  it('begin with the minimum of the network', () => {
    expect(afterCall({}, single, 100)).toEqual({ instance: newLifetime(100), escrow: newLifetime(100) });
    expect(afterCall({}, multi, 100)).toEqual({ instance: newLifetime(100) });
    expect(newLifetime(100).liveUntilLedger).toBe(100 + 2_073_600 - 1);
  });

  it('have a balance after the first transfer', () => {
    const funded = afterCall(afterCall({}, single, 100), { ...single, hasMovedTokens: true }, 200);
    expect(funded.balance).toEqual(newLifetime(200));
    expect(funded.escrow).toEqual({ ...newLifetime(100), modifiedLedger: 200 });
  });

  it('are extended by a write below the threshold, up to the maximum of the network', () => {
    const at = (ledgersLeft: number) => {
      const ending = { modifiedLedger: 1, liveUntilLedger: 1_000 + ledgersLeft };
      return afterCall({ instance: ending, escrow: ending, balance: ending }, { ...single, hasMovedTokens: true }, 1_000);
    };
    expect(at(17_280).escrow?.liveUntilLedger).toBe(1_000 + 17_280);
    expect(at(17_279).escrow?.liveUntilLedger).toBe(1_000 + 3_110_400 - 1);
    expect(at(17_279).balance?.liveUntilLedger).toBe(1_000 + 30 * 17_280);
    expect(at(29 * 17_280).balance?.liveUntilLedger).toBe(1_000 + 29 * 17_280);
  });

  it('of the instance are extended by a write of a multi-release contract only', () => {
    const instance = { modifiedLedger: 1, liveUntilLedger: 1_005 };
    expect(afterCall({ instance, escrow: instance }, single, 1_000).instance).toEqual(instance);
    expect(afterCall({ instance }, multi, 1_000).instance).toEqual({ modifiedLedger: 1_000, liveUntilLedger: 1_000 + 3_110_399 });
  });

  it('are never shortened, and end after their last ledger', () => {
    const lifetime = { modifiedLedger: 1, liveUntilLedger: 500 };
    expect(extended(lifetime, 100, 300)).toEqual(lifetime);
    expect(extended(lifetime, 100, 401)).toEqual({ modifiedLedger: 1, liveUntilLedger: 501 });
    expect([isLive(lifetime, 500), isLive(lifetime, 501)]).toEqual([true, false]);
  });
});
