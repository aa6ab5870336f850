import { money } from '@holdfast/kernel/money';
import type { SettledMilestone } from './contract.js';
import { isPaidOut, type ContractState, type MilestoneState } from './contract-state.js';
import { isResolvedByOthers, isSettled, planSettlement, type Settlement } from './plan.js';
import { scopedSettlement, type RequestedSettlement } from './settlement-scope.js';
import { afterStep, type SettlementStep } from './steps.js';

const untouched: MilestoneState = {
  isCompleted: false,
  isApproved: false,
  isDisputed: false,
  isReleased: false,
  isResolved: false,
};
const approved = { ...untouched, isCompleted: true, isApproved: true };

/** Every state of a milestone. `decision`: our earlier decision has paid it. */
const milestoneStates: Readonly<Record<string, { readonly state: MilestoneState; readonly decision?: 'RELEASE' | 'REFUND' }>> = {
  open: { state: untouched },
  completed: { state: { ...untouched, isCompleted: true } },
  approved: { state: approved },
  disputed: { state: { ...untouched, isDisputed: true } },
  'disputed after its approval': { state: { ...approved, isDisputed: true } },
  'released outside': { state: { ...approved, isReleased: true } },
  'resolved outside': { state: { ...untouched, isResolved: true } },
  'released by us': { state: { ...approved, isReleased: true }, decision: 'RELEASE' },
  'resolved by us': { state: { ...untouched, isResolved: true }, decision: 'REFUND' },
};

const unitsOfMilestones = [50n, 30n, 20n];

type Situation = {
  readonly names: readonly string[];
  readonly terms: Parameters<typeof scopedSettlement>[0] & Parameters<typeof planSettlement>[0];
  readonly from: ContractState;
};

function situationOf(names: readonly string[]): Situation {
  const given = names.map((name) => milestoneStates[name] ?? { state: untouched });
  const milestones = given.map((_, index) => ({ ref: `m${index}`, title: `M${index}`, units: unitsOfMilestones[index] ?? 0n }));
  const amount = money(
    milestones.reduce((sum, { units }) => sum + units, 0n),
    'USDC',
  );
  const milestonesSettled = given.flatMap(({ decision }, index): readonly SettledMilestone[] =>
    decision === undefined ? [] : [{ index, decision }],
  );
  const held = milestones.filter((_, index) => !isPaidOut(given[index]?.state ?? untouched));
  const balanceUnits = held.reduce((sum, { units }) => sum + units, 0n);
  return {
    names,
    terms: { type: 'multi-release', releaseMode: 'milestone', amount, milestones, milestonesSettled },
    from: { balanceUnits, isDisputed: false, isReleased: false, isResolved: false, milestones: given.map(({ state }) => state) },
  };
}

function situationsOf(count: number): readonly Situation[] {
  const names = Object.keys(milestoneStates);
  const all = Array.from({ length: count }).reduce<readonly (readonly string[])[]>(
    (combinations) => combinations.flatMap((combination) => names.map((name) => [...combination, name])),
    [[]],
  );
  return all.map(situationOf);
}

const unsettled = ({ terms }: Situation): readonly number[] =>
  terms.milestones.flatMap((_, index) => (terms.milestonesSettled.some((settled) => settled.index === index) ? [] : [index]));

const unitsAt = ({ terms }: Situation, indexes: readonly number[]): bigint =>
  indexes.reduce((sum, index) => sum + (terms.milestones[index]?.units ?? 0n), 0n);

/** Every decision about one milestone and about what is left of the contract; splits at and between the borders of milestones. */
function requestsOf(situation: Situation): readonly RequestedSettlement[] {
  const decided = (units: bigint, of: { readonly milestoneRef?: string }): readonly RequestedSettlement[] => {
    const split = (sellerUnits: bigint) => ({ ...of, decision: 'SPLIT', sellerUnits, buyerUnits: units - sellerUnits }) as const;
    return [
      { ...of, decision: 'RELEASE', sellerUnits: units, buyerUnits: 0n },
      { ...of, decision: 'REFUND', sellerUnits: 0n, buyerUnits: units },
      ...[0n, 1n, units / 2n, units - 1n, units].map(split),
    ];
  };
  const ofOne = situation.terms.milestones.flatMap(({ ref, units }) => decided(units, { milestoneRef: ref }));
  const left = unitsAt(situation, unsettled(situation));
  const borders = unsettled(situation).map((_, position, indexes) => unitsAt(situation, indexes.slice(0, position + 1)));
  const atBorders = borders.map((sellerUnits) => ({ decision: 'SPLIT', sellerUnits, buyerUnits: left - sellerUnits }) as const);
  return left === 0n ? ofOne : [...ofOne, ...decided(left, {}), ...atBorders];
}

type Case = { readonly situation: Situation; readonly settlement: Settlement; readonly paid: readonly number[] };

/** All requests that fit their contract. */
function casesOf(count: number): readonly Case[] {
  return situationsOf(count).flatMap((situation) =>
    requestsOf(situation).flatMap((request) => {
      const scoped = scopedSettlement(situation.terms, request);
      return 'refusal' in scoped ? [] : [{ situation, settlement: scoped.settlement, paid: scoped.settlement.milestones ?? [] }];
    }),
  );
}

const stateAt = ({ milestones }: ContractState, index: number): MilestoneState => milestones[index] ?? untouched;

/** What each milestone gives to the seller, reckoned unit by unit. */
function sellerUnitsAt({ situation, settlement, paid }: Case, index: number): bigint {
  const before = unitsAt(
    situation,
    paid.filter((other) => other < index),
  );
  const here = unitsAt(situation, [index]);
  const left = settlement.sellerUnits - before;
  if (left <= 0n) return 0n;
  return left < here ? left : here;
}

function paidBy(step: SettlementStep, party: 'seller' | 'buyer', units: bigint): bigint {
  if (step.does === 'release') return party === 'seller' ? units : 0n;
  if (step.does !== 'resolve') return 0n;
  return step.distributions.filter(({ to }) => to === party).reduce((sum, share) => sum + share.units, 0n);
}

const keyOf = ({ milestones }: ContractState): string => milestones.map((milestone) => Object.values(milestone).join()).join(';');

/** Walks through every state that the steps of the plan can reach, in any order of the steps, and checks the plan in each of them. */
function walk(of: Case): void {
  const { situation, settlement, paid } = of;
  const seen = new Set<string>();
  const longest = 3 * paid.length;
  const visit = (state: ContractState, depth: number): void => {
    if (depth > longest) throw new Error('the plan does not end');
    if (seen.has(keyOf(state))) return;
    seen.add(keyOf(state));
    const plan = planSettlement(situation.terms, settlement, state);
    if (plan.status === 'impossible') throw new Error(plan.reason);
    if (plan.steps.length === 0 && !isSettled(situation.terms, state, settlement)) throw new Error('the plan ends early');
    for (const step of plan.steps) {
      checkStep(of, state, step);
      visit(afterStep(state, step), depth + 1);
    }
  };
  visit(situation.from, 0);
}

function checkStep(of: Case, state: ContractState, step: SettlementStep): void {
  const { index = -1 } = step;
  if (!of.paid.includes(index)) throw new Error(`the plan touches the milestone ${index}`);
  if (isPaidOut(stateAt(state, index))) throw new Error(`the plan touches the milestone ${index}, which is paid out`);
  if (step.does !== 'release' && step.does !== 'resolve') return;
  const units = unitsAt(of.situation, [index]);
  const seller = sellerUnitsAt(of, index);
  if (paidBy(step, 'seller', units) !== seller) throw new Error(`the seller does not get ${seller}`);
  if (paidBy(step, 'buyer', units) !== units - seller) throw new Error(`the buyer does not get ${units - seller}`);
  // Nothing is paid before every milestone of the settlement is ready.
  const waiting = of.paid.filter((other) => {
    const milestone = stateAt(state, other);
    return !isPaidOut(milestone) && !milestone.isDisputed && (of.settlement.decision !== 'RELEASE' || !milestone.isApproved);
  });
  if (waiting.length > 0) throw new Error(`the milestone ${waiting.join()} is not ready`);
}

const isReleasedAt = ({ situation }: Case, index: number): boolean => stateAt(situation.from, index).isReleased;
const isResolvedAt = ({ situation }: Case, index: number): boolean => stateAt(situation.from, index).isResolved;

describe.each([1, 2, 3])('with %i milestones, in every combination of their states', (count) => {
  const cases = casesOf(count);
  const contradicted = cases.filter(
    (of) => of.settlement.decision !== 'RELEASE' && of.paid.some((index) => isReleasedAt(of, index)),
  );
  const others = cases.filter((of) => !contradicted.includes(of));

  it('a plan ends, pays exactly the decided shares of the decided milestones, and touches no other', () => {
    expect(others.length).toBeGreaterThan(count * 10);
    for (const of of others) walk(of);
  });

  it('a refund or a split is contradicted by a release outside of one of its milestones, and by nothing else', () => {
    expect(contradicted.length).toBeGreaterThan(0);
    const plans = contradicted.map(({ situation, settlement }) => planSettlement(situation.terms, settlement, situation.from));
    expect(plans.filter((plan) => plan.status === 'possible' || plan.isContradiction !== true)).toEqual([]);
  });

  it('a resolution counts as foreign only if it concerns a milestone of the settlement and is none of our steps', () => {
    const wrong = cases.filter((of) => {
      const { situation, settlement, paid } = of;
      const resolved = paid.filter((index) => isResolvedAt(of, index));
      const own = resolved.map((index) => ({ does: 'resolve', index, distributions: [] }) as const);
      const isOfOthers = (landed: readonly SettlementStep[]): boolean =>
        isResolvedByOthers(situation.terms, situation.from, landed, settlement);
      return isOfOthers([]) !== resolved.length > 0 || isOfOthers(own);
    });
    expect(wrong).toEqual([]);
  });

  it('a milestone that is paid out by us is not paid again, and what is left never includes it', () => {
    for (const situation of situationsOf(count)) {
      const settled = situation.terms.milestonesSettled.map(({ index }) => index);
      const accepted = requestsOf(situation).filter((request) => 'settlement' in scopedSettlement(situation.terms, request));
      const ofSettled = settled.map((index) => `m${index}`);
      expect(accepted.filter(({ milestoneRef = '' }) => ofSettled.includes(milestoneRef))).toEqual([]);
    }
    expect(cases.filter(({ situation, paid }) => paid.some((index) => !unsettled(situation).includes(index)))).toEqual([]);
  });
});

describe('a request is refused before its first step', () => {
  const two = situationOf(['open', 'released by us']);
  const refusalOf = (request: RequestedSettlement, situation = two): string => {
    const scoped = scopedSettlement(situation.terms, request);
    return 'refusal' in scoped ? scoped.refusal : 'accepted';
  };
  const release = (sellerUnits: bigint, milestoneRef?: string) =>
    ({ decision: 'RELEASE', sellerUnits, buyerUnits: 0n, milestoneRef }) as const;

  it.each([
    ['one unit more than the milestone', release(51n, 'm0')],
    ['one unit less than the milestone', release(49n, 'm0')],
    ['the whole amount after a milestone was paid', release(80n)],
    ['a release that pays the buyer', { ...release(40n, 'm0'), buyerUnits: 10n }],
    ['a refund that pays the seller', { decision: 'REFUND', sellerUnits: 10n, buyerUnits: 40n, milestoneRef: 'm0' } as const],
  ])('%s', (_, request) => {
    expect(refusalOf(request)).toBe('the contract has another amount to pay out');
  });

  it('an unknown milestone, a paid one, one of a contract that is paid as a whole, and a contract with nothing left', () => {
    expect(refusalOf(release(50n, 'm9'))).toBe('the contract has no such milestone');
    expect(refusalOf(release(30n, 'm1'))).toBe('the milestone is paid out already');
    const wholly = { ...two, terms: { ...two.terms, releaseMode: 'order' as const } };
    expect(refusalOf(release(50n, 'm0'), wholly)).toBe('the contract is paid out as a whole');
    expect(refusalOf(release(50n), situationOf(['resolved by us']))).toBe('the contract has paid out everything');
  });
});
