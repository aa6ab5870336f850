import fc from 'fast-check';
import { applyEscrowCall, type EscrowChange } from './escrow-rules.js';
import type { Distribution, Escrow, EscrowCall, EscrowState, Milestone } from './escrow.js';
import { newEscrow } from './new-escrow.js';
import { OperationFailure } from './operation-failure.js';

const noFlags = { approved: false, disputed: false, released: false, resolved: false };

function aMilestone(overrides: Partial<Milestone> = {}): Milestone {
  return { description: '', status: 'pending', evidence: '', flags: noFlags, ...overrides };
}

const properties: EscrowState = {
  type: 'single-release',
  engagementId: 'ord_1',
  title: '',
  description: '',
  roles: {
    approver: 'buyer',
    serviceProvider: 'seller',
    platformAddress: 'platform',
    releaseSigner: 'buyer',
    disputeResolver: 'arbiter',
    receiver: 'seller',
  },
  units: 1_000n,
  platformFeeBasisPoints: 500n,
  receiverMemo: 0,
  milestones: [aMilestone()],
  flags: { disputed: false, released: false, resolved: false },
  token: 'token',
};

function anEscrow(overrides: Partial<EscrowState> = {}): Escrow {
  return newEscrow({ ...properties, ...overrides }, { contractId: 'C1', signer: 'buyer', asset: 'XLM', at: 'now' });
}

const context = { feesAddress: 'provider' };

/** Applies a call. A funding expects the escrow as it is. */
function apply(escrow: Escrow, call: EscrowCall): EscrowChange {
  return applyEscrowCall(escrow, call.name === 'fund_escrow' ? { ...call, expected: escrow } : call, context);
}

function after(escrow: Escrow, ...calls: readonly EscrowCall[]): EscrowChange {
  return calls.reduce<EscrowChange>((change, call) => apply(change.escrow, call), {
    escrow,
    transfers: [],
  });
}

function isRefused(escrow: Escrow, call: EscrowCall): boolean {
  try {
    apply(escrow, call);
    return false;
  } catch (error) {
    if (error instanceof OperationFailure) return true;
    throw error;
  }
}

const fund = (units: bigint): EscrowCall => ({
  name: 'fund_escrow',
  caller: 'anyone',
  expected: properties,
  units,
});
const complete: EscrowCall = { name: 'change_milestone_status', caller: 'seller', index: 0, status: 'done', evidence: '' };
const approve: EscrowCall = { name: 'approve_milestone', caller: 'buyer', index: 0 };
const release: EscrowCall = { name: 'release_funds', caller: 'buyer' };
const dispute: EscrowCall = { name: 'dispute_escrow', caller: 'buyer' };
const resolve = (distributions: readonly Distribution[]): EscrowCall => ({
  name: 'resolve_dispute',
  caller: 'arbiter',
  distributions,
});

const units = fc.bigInt({ min: 1n, max: 10n ** 17n });
const fee = fc.bigInt({ min: 0n, max: 9_900n });
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n);

describe('money', () => {
  it('is conserved exactly by a release', () => {
    fc.assert(
      fc.property(units, fee, units, (amount, platformFeeBasisPoints, extra) => {
        const escrow = anEscrow({ units: amount, platformFeeBasisPoints });
        const { escrow: released, transfers } = after(escrow, fund(amount + extra), complete, approve, release);
        expect(sum(transfers.map((transfer) => transfer.units))).toBe(amount);
        expect(released.balanceUnits).toBe(extra);
      }),
    );
  });

  it('is conserved exactly by a resolution among any number of recipients', () => {
    fc.assert(
      fc.property(fc.array(units, { minLength: 1, maxLength: 50 }), fee, (amounts, platformFeeBasisPoints) => {
        const total = sum(amounts);
        const distributions = amounts.map((amount, index) => ({ address: `recipient ${index}`, units: amount }));
        const change = after(anEscrow({ units: total, platformFeeBasisPoints }), fund(total), dispute, resolve(distributions));
        expect(sum(change.transfers.map((transfer) => transfer.units))).toBe(total);
        expect(change.escrow.balanceUnits).toBe(0n);
        expect(change.transfers.every((transfer) => transfer.units > 0n && transfer.from === 'C1')).toBe(true);
      }),
    );
  });

  it('never leaves a contract beyond its balance, whatever is called', () => {
    const at = fc.integer({ min: 0, max: 2 });
    const share = fc.record({ address: fc.constantFrom('buyer', 'seller'), units: fc.bigInt({ min: 0n, max: 2_000n }) });
    const distributions = fc.array(share, { maxLength: 3 });
    const caller = fc.constantFrom('buyer', 'seller', 'arbiter', 'platform', 'stranger');
    const named = <Name extends string>(name: Name) => fc.constant(name);
    const call: fc.Arbitrary<EscrowCall> = fc.oneof(
      fc.record({
        name: named('fund_escrow'),
        caller,
        expected: fc.constant(properties),
        units: fc.bigInt({ min: -5n, max: 2_000n }),
      }),
      fc.record({
        name: named('change_milestone_status'),
        caller,
        index: at,
        status: fc.constantFrom('', 'done'),
        evidence: named(''),
      }),
      fc.record({ name: named('approve_milestone'), caller, index: at }),
      fc.record({ name: fc.constantFrom('release_milestone_funds', 'dispute_milestone'), caller, index: at }),
      fc.record({ name: named('resolve_milestone_dispute'), caller, index: at, distributions }),
      fc.record({ name: named('withdraw_remaining_funds'), caller, distributions }),
    );
    const milestones = [aMilestone({ units: 600n, receiver: 'seller' }), aMilestone({ units: 400n, receiver: 'seller' })];
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
        let escrow = anEscrow({ type: 'multi-release', milestones });
        for (const each of calls) {
          if (isRefused(escrow, each)) continue;
          const change = apply(escrow, each);
          const flow = change.transfers.map((transfer) => (transfer.from === 'C1' ? -transfer.units : transfer.units));
          expect(change.escrow.balanceUnits).toBe(escrow.balanceUnits + sum(flow));
          expect(change.escrow.balanceUnits >= 0n).toBe(true);
          escrow = change.escrow;
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a settled contract', () => {
  const released = after(anEscrow(), fund(1_000n), complete, approve, release).escrow;
  const resolved = after(anEscrow(), fund(1_000n), dispute, resolve([{ address: 'buyer', units: 1_000n }])).escrow;

  it.each([
    ['released', released],
    ['resolved', resolved],
  ])('that is %s is neither released, disputed nor resolved again', (_how, escrow) => {
    const refilled = after(escrow, fund(1_000n)).escrow;
    for (const call of [release, dispute, resolve([{ address: 'buyer', units: 1_000n }])]) {
      expect(isRefused(refilled, call)).toBe(true);
    }
  });
});

describe('a dispute', () => {
  it('blocks a release but not the milestones', () => {
    const disputed = after(anEscrow(), fund(1_000n), complete, approve, dispute).escrow;
    expect(isRefused(disputed, release)).toBe(true);
    expect(isRefused(disputed, complete)).toBe(false);
  });

  it.each(['buyer', 'seller', 'platform'])('can be opened by the %s', (caller) => {
    expect(isRefused(anEscrow(), { name: 'dispute_escrow', caller })).toBe(false);
  });

  it.each(['arbiter', 'stranger'])('cannot be opened by the %s', (caller) => {
    expect(isRefused(anEscrow(), { name: 'dispute_escrow', caller })).toBe(true);
  });
});

describe('a new contract', () => {
  it.each([
    ['a milestone without an amount', { type: 'multi-release', milestones: [aMilestone({ units: 0n })] }],
    ['no milestone', { milestones: [] }],
    ['a fee above 99 percent', { platformFeeBasisPoints: 9_901n }],
    ['no amount', { units: 0n }],
  ] as const)('with %s is refused', (_flaw, overrides) => {
    expect(() => anEscrow(overrides)).toThrow(OperationFailure);
  });
});
