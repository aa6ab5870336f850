import fc from 'fast-check';
import { money } from '@holdfast/kernel/money';
import type { ContractType } from './contract.js';
import type { ContractState, MilestoneState } from './contract-state.js';
import { isSettled, planFunding, planSettlement, type SettlementDecision, type Settlement } from './plan.js';
import { afterStep, landedStep, nameOf, type SettlementStep, type Step } from './steps.js';

const untouched: MilestoneState = {
  isCompleted: false,
  isApproved: false,
  isDisputed: false,
  isReleased: false,
  isResolved: false,
};

function terms(type: ContractType, ...parts: readonly bigint[]) {
  const milestones = parts.map((units, index) => ({ ref: `m${index}`, title: `M${index}`, units }));
  return {
    type,
    milestones,
    amount: money(
      parts.reduce((sum, part) => sum + part, 0n),
      'USDC',
    ),
  };
}

function state(of: ReturnType<typeof terms>, more: Partial<ContractState> = {}): ContractState {
  const milestones = of.milestones.map(() => untouched);
  return { balanceUnits: of.amount.units, isDisputed: false, isReleased: false, isResolved: false, milestones, ...more };
}

function settlementOf(decision: SettlementDecision, sellerUnits: bigint, total: bigint): Settlement {
  return { decision, sellerUnits, buyerUnits: total - sellerUnits };
}

const namesOf = (steps: readonly Step[]): readonly string[] => steps.map(nameOf);

/** Executes plans until the settlement is complete, always taking the step that `pick` chooses among the possible ones. */
function executed(of: ReturnType<typeof terms>, settlement: Settlement, from: ContractState, pick: (count: number) => number) {
  const done: SettlementStep[] = [];
  let now = from;
  for (;;) {
    const plan = planSettlement(of, settlement, now);
    if (plan.status === 'impossible') throw new Error(plan.reason);
    const step = plan.steps[pick(plan.steps.length)];
    if (step === undefined) return { done, now };
    done.push(step);
    now = afterStep(now, step);
  }
}

describe('the plan of a funding', () => {
  const single = terms('single-release', 100n);

  it('pays in the missing amount only', () => {
    expect(planFunding(single, state(single, { balanceUnits: 30n }))).toEqual({
      status: 'possible',
      steps: [{ does: 'fund', units: 70n }],
    });
    expect(planFunding(single, state(single))).toEqual({ status: 'possible', steps: [] });
  });

  it('is impossible for a contract that has paid out', () => {
    expect(planFunding(single, state(single, { balanceUnits: 0n, isReleased: true })).status).toBe('impossible');
  });
});

describe('the plan of a settlement', () => {
  const single = terms('single-release', 100n);
  const multi = terms('multi-release', 60n, 40n);
  const first = (): number => 0;

  it('releases a single contract in three steps', () => {
    const { done } = executed(single, settlementOf('RELEASE', 100n, 100n), state(single), first);
    expect(namesOf(done)).toEqual(['complete:0', 'approve:0', 'release']);
  });

  it('skips steps whose effect the contract already has', () => {
    const approved = state(single, { milestones: [{ ...untouched, isCompleted: true, isApproved: true }] });
    expect(namesOf(executed(single, settlementOf('RELEASE', 100n, 100n), approved, first).done)).toEqual(['release']);
  });

  it('releases a disputed contract by a resolution with everything to the seller', () => {
    const { done } = executed(single, settlementOf('RELEASE', 100n, 100n), state(single, { isDisputed: true }), first);
    expect(done).toEqual([{ does: 'resolve', distributions: [{ to: 'seller', units: 100n }] }]);
  });

  it('leaves zero amounts out and pays a surplus to the platform', () => {
    const disputed = state(single, { isDisputed: true, balanceUnits: 107n });
    expect(executed(single, settlementOf('REFUND', 0n, 100n), disputed, first).done).toEqual([
      {
        does: 'resolve',
        distributions: [
          { to: 'buyer', units: 100n },
          { to: 'platform', units: 7n },
        ],
      },
    ]);
  });

  it('distributes the seller’s amount over the milestones in order', () => {
    const { done } = executed(multi, settlementOf('SPLIT', 70n, 100n), state(multi), first);
    expect(namesOf(done)).toEqual(['dispute:0', 'dispute:1', 'resolve:0', 'resolve:1']);
    expect(done.slice(2)).toMatchObject([
      { distributions: [{ to: 'seller', units: 60n }] },
      {
        distributions: [
          { to: 'seller', units: 10n },
          { to: 'buyer', units: 30n },
        ],
      },
    ]);
  });

  it('pays nothing out before every milestone is ready', () => {
    const { done } = executed(multi, settlementOf('RELEASE', 100n, 100n), state(multi), first);
    expect(namesOf(done)).toEqual(['complete:0', 'approve:0', 'complete:1', 'approve:1', 'release:0', 'release:1']);
  });

  it('is impossible for a refund after a release, and for more than the balance', () => {
    const released = state(single, { isReleased: true, balanceUnits: 0n });
    expect(planSettlement(single, settlementOf('REFUND', 0n, 100n), released).status).toBe('impossible');
    expect(planSettlement(single, settlementOf('RELEASE', 100n, 100n), state(single, { balanceUnits: 99n })).status).toBe(
      'impossible',
    );
  });

  const partsMax = 8;
  const parts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { minLength: 1, maxLength: partsMax });
  const milestone = fc.record({ isCompleted: fc.boolean(), isApproved: fc.boolean(), isDisputed: fc.boolean() });

  const situation = fc
    .record({
      units: parts,
      share: fc.nat(),
      started: fc.array(milestone, { minLength: partsMax, maxLength: partsMax }),
      decision: fc.constantFrom<SettlementDecision>('REFUND', 'SPLIT', 'RELEASE'),
    })
    .map(({ units, share, started, decision }) => {
      const of = terms(units.length > 1 ? 'multi-release' : 'single-release', ...units);
      const total = of.amount.units;
      const shares = { RELEASE: total, REFUND: 0n, SPLIT: BigInt(share) % (total + 1n) };
      const isMulti = of.type === 'multi-release';
      const milestones = of.milestones.map((_, index) => {
        const each = { ...untouched, ...started[index] };
        return { ...each, isDisputed: each.isDisputed && isMulti };
      });
      const from = state(of, { isDisputed: !isMulti && started[0]?.isDisputed === true, milestones });
      return { of, from, settlement: settlementOf(decision, shares[decision], total) };
    });

  it('completes from every state, in any order, with exactly the requested amounts', () => {
    fc.assert(
      fc.property(situation, fc.infiniteStream(fc.nat()), ({ of, from, settlement }, choices) => {
        const pick = (count: number): number => (count === 0 ? 0 : Number(choices.next().value) % count);
        const { done, now } = executed(of, settlement, from, pick);
        expect(isSettled(of, now)).toBe(true);
        expect(done.length).toBeLessThanOrEqual(of.milestones.length * 3);
        expect(paidTo(of, done, 'seller')).toBe(settlement.sellerUnits);
        expect(paidTo(of, done, 'buyer')).toBe(settlement.buyerUnits);
        expect(new Set(namesOf(done)).size).toBe(done.length);
      }),
    );
  });

  it('parses the names of landed steps', () => {
    for (const name of ['complete:3', 'approve:0', 'release', 'release:2', 'dispute', 'dispute:1', 'resolve', 'resolve:7']) {
      const step = landedStep(name);
      expect(step === undefined ? undefined : nameOf(step)).toBe(name);
    }
    expect(landedStep('fund')).toBeUndefined();
  });
});

function paidTo(of: ReturnType<typeof terms>, done: readonly SettlementStep[], party: 'seller' | 'buyer'): bigint {
  return done.reduce((sum, step) => {
    if (step.does === 'release' && party === 'seller')
      return sum + (step.index === undefined ? of.amount.units : (of.milestones[step.index]?.units ?? 0n));
    if (step.does !== 'resolve') return sum;
    return sum + step.distributions.filter(({ to }) => to === party).reduce((part, { units }) => part + units, 0n);
  }, 0n);
}
