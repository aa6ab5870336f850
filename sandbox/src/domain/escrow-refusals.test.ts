import { applyEscrowCall } from './escrow-rules.js';
import type { Distribution, Escrow, EscrowCall, EscrowState, MilestoneFlags } from './escrow.js';
import { newEscrow } from './new-escrow.js';

const context = { feesAddress: 'provider' };
const noFlags = { approved: false, disputed: false, released: false, resolved: false };
const roles = {
  approver: 'buyer',
  serviceProvider: 'seller',
  platformAddress: 'platform',
  releaseSigner: 'signer',
  disputeResolver: 'arbiter',
};

const singleState: EscrowState = {
  type: 'single-release',
  engagementId: 'ord_1',
  title: '',
  description: '',
  roles: { ...roles, receiver: 'receiver' },
  units: 1_000n,
  platformFeeBasisPoints: 500n,
  receiverMemo: 0,
  milestones: [{ description: '', status: 'pending', evidence: 'before', flags: noFlags }],
  flags: { disputed: false, released: false, resolved: false },
  token: 'token',
};
const multiState: EscrowState = {
  ...singleState,
  type: 'multi-release',
  roles,
  milestones: [600n, 400n].map((units) => ({
    description: '',
    status: 'pending',
    evidence: '',
    flags: noFlags,
    units,
    receiver: 'freelancer',
  })),
};

const deploy = (state: EscrowState): Escrow => newEscrow(state, { contractId: 'C1', signer: 'buyer', asset: 'XLM', at: '' });

function single(flags: Partial<Escrow['flags'] & { approved: boolean }> = {}, overrides: Partial<Escrow> = {}): Escrow {
  const { approved = false, ...own } = flags;
  const escrow = deploy(singleState);
  const milestones = escrow.milestones.map((milestone) => ({ ...milestone, flags: { ...noFlags, approved } }));
  return { ...escrow, balanceUnits: 1_000n, milestones, flags: { ...escrow.flags, ...own }, ...overrides };
}

/** The flags belong to the first milestone. */
function multi(flags: Partial<MilestoneFlags> = {}, overrides: Partial<Escrow> = {}): Escrow {
  const escrow = deploy(multiState);
  const [first, ...others] = escrow.milestones;
  if (first === undefined) throw new Error('a contract must have milestones');
  const milestones = [{ ...first, flags: { ...noFlags, ...flags } }, ...others];
  return { ...escrow, balanceUnits: 1_000n, milestones, ...overrides };
}

const call = (escrow: Escrow, given: EscrowCall) => applyEscrowCall(escrow, given, context);
const to = (...amounts: readonly bigint[]): readonly Distribution[] =>
  amounts.map((units, index) => ({ address: `recipient ${index}`, units }));
const many = to(...Array.from({ length: 51 }, () => 1n));

type Refusal = readonly [message: string, given: Escrow, call: EscrowCall];

describe('a new contract is refused', () => {
  const flagged = { ...noFlags, approved: true };
  it.each<[string, Partial<EscrowState>]>([
    ['The platform fee cannot exceed 99%', { platformFeeBasisPoints: 9_901n, units: 0n }],
    ['The amount must be greater than zero', { units: 0n, milestones: [] }],
    ['The amount must be greater than zero', { units: -1n }],
    ['There must be at least one milestone', { milestones: [] }],
    ['There can be at most 50 milestones', { milestones: Array.from({ length: 51 }, () => singleState.milestones).flat() }],
    ['All flags must be false in a new escrow', { flags: { disputed: false, released: true, resolved: false } }],
    [
      'All flags must be false in a new escrow',
      { milestones: singleState.milestones.map((each) => ({ ...each, flags: flagged })) },
    ],
  ])('%s', (message, overrides) => {
    expect(() => deploy({ ...singleState, ...overrides })).toThrow(message);
  });

  it('with a milestone without an amount', () => {
    const milestones = multiState.milestones.map((milestone) => ({ ...milestone, units: 0n }));
    expect(() => deploy({ ...multiState, milestones })).toThrow('Every milestone amount must be greater than zero');
  });

  it('unless it is on the limits', () => {
    const milestones = Array.from({ length: 50 }, () => singleState.milestones).flat();
    expect(deploy({ ...singleState, platformFeeBasisPoints: 9_900n, milestones }).balanceUnits).toBe(0n);
  });
});

describe('a call is refused by the first rule that it breaks', () => {
  const fund = { name: 'fund_escrow', caller: 'anyone', expected: single(), units: 1n } as const;
  const another = single({ disputed: true });
  const change = { name: 'change_milestone_status', caller: 'seller', index: 0, status: '' } as const;
  const approve = { name: 'approve_milestone', caller: 'buyer', index: 0 } as const;
  const empty = deploy({ ...singleState, milestones: singleState.milestones.map((each) => ({ ...each, status: '' })) });
  it.each<Refusal>([
    ['The amount must be greater than zero', single(), { ...fund, units: 0n, expected: another }],
    ['EscrowPropertiesMismatch', single(), { ...fund, expected: another }],
    ['The milestone index is not valid', single(), { ...change, index: 1, caller: 'buyer' }],
    ['Only the service provider can change the milestone status', single(), { ...change, caller: 'buyer' }],
    ['The milestone index is not valid', single(), { ...approve, index: 1 }],
    ['Only the approver can approve the milestone', single({ approved: true }), { ...approve, caller: 'seller' }],
    ['The milestone has already been approved', single({ approved: true }), approve],
    ['The milestone status cannot be empty', empty, approve],
  ])('%s', (message, escrow, given) => {
    expect(() => call(escrow, given)).toThrow(message);
  });
});

describe('a release is refused by the first rule that it breaks', () => {
  const release = { name: 'release_funds', caller: 'signer' } as const;
  const releaseFirst = { name: 'release_milestone_funds', caller: 'signer', index: 0 } as const;
  const poor = { balanceUnits: 599n };
  it.each<Refusal>([
    ['The escrow has already been released', single({ released: true, resolved: true }), { ...release, caller: 'x' }],
    ['The escrow has already been resolved', single({ resolved: true }), { ...release, caller: 'x' }],
    ['Only the release signer can release the escrow funds', single(), { ...release, caller: 'buyer' }],
    ['The escrow has no milestones', single({}, { milestones: [] }), release],
    ['The escrow must be completed to release funds', single({ disputed: true }), release],
    ['opened for dispute resolution', single({ approved: true, disputed: true }, { balanceUnits: 0n }), release],
    ['The escrow balance is not enough', single({ approved: true }, { balanceUnits: 999n }), release],
    ['The milestone index is not valid', multi(), { ...releaseFirst, index: 2 }],
    ['The milestone has already been released', multi({ released: true }), releaseFirst],
    ['The milestone has already been resolved', multi({ resolved: true }), releaseFirst],
    ['Only the release signer can release the escrow funds', multi(), { ...releaseFirst, caller: 'buyer' }],
    ['The milestone must be completed to release funds', multi({ disputed: true }), releaseFirst],
    ['opened for dispute resolution', multi({ approved: true, disputed: true }, poor), releaseFirst],
    ['The escrow balance is not enough', multi({ approved: true }, poor), releaseFirst],
  ])('%s', (message, escrow, given) => {
    expect(() => call(escrow, given)).toThrow(message);
  });
});

describe('a dispute is refused by the first rule that it breaks', () => {
  const dispute = { name: 'dispute_escrow', caller: 'buyer' } as const;
  const disputeFirst = { name: 'dispute_milestone', caller: 'buyer', index: 0 } as const;
  it.each<Refusal>([
    ['The escrow is already in dispute', single({ disputed: true }), { ...dispute, caller: 'arbiter' }],
    ['The escrow has already been resolved', single({ resolved: true }), dispute],
    ['The escrow has already been released', single({ released: true }), dispute],
    ['The dispute resolver cannot dispute the escrow', single(), { ...dispute, caller: 'arbiter' }],
    ['You are not authorized to change the dispute flag', single(), { ...dispute, caller: 'stranger' }],
    ['The milestone index is not valid', multi(), { ...disputeFirst, index: 2 }],
    ['The milestone has already been released', multi({ released: true }), disputeFirst],
    ['The milestone has already been resolved', multi({ resolved: true }), disputeFirst],
    ['The milestone is already in dispute', multi({ disputed: true }), disputeFirst],
    ['You are not authorized to change the dispute flag', multi(), { ...disputeFirst, caller: 'stranger' }],
    ['The dispute resolver cannot dispute the milestone', multi(), { ...disputeFirst, caller: 'arbiter' }],
  ])('%s', (message, escrow, given) => {
    expect(() => call(escrow, given)).toThrow(message);
  });

  it('unless the caller is the receiver', () => {
    expect(call(single(), { ...dispute, caller: 'receiver' }).escrow.flags.disputed).toBe(true);
    expect(call(multi(), { ...disputeFirst, caller: 'freelancer' }).escrow.milestones[0]?.flags.disputed).toBe(true);
  });
});

describe('a resolution is refused by the first rule that it breaks', () => {
  const resolve = { name: 'resolve_dispute', caller: 'arbiter', distributions: to(1_000n) } as const;
  const resolveFirst = { name: 'resolve_milestone_dispute', caller: 'arbiter', index: 0, distributions: to(600n) } as const;
  const disputed = { disputed: true };
  const onlyResolver = 'Only the dispute resolver can execute this function';
  it.each<Refusal>([
    ['There can be at most 50 distributions', single(), { ...resolve, caller: 'x', distributions: many }],
    [onlyResolver, single(), { ...resolve, caller: 'buyer' }],
    ['The escrow is not in dispute', single(), { ...resolve, distributions: to(0n) }],
    ['There must be at least one distribution', single(disputed), { ...resolve, distributions: [] }],
    ['Every distributed amount must be greater than zero', single(disputed), { ...resolve, distributions: to(1_001n, -1n) }],
    ['must equal the escrow balance', single(disputed), { ...resolve, distributions: to(999n) }],
    ['There can be at most 50 distributions', multi(), { ...resolveFirst, caller: 'x', distributions: many }],
    [onlyResolver, multi(disputed), { ...resolveFirst, caller: 'buyer' }],
    ['The milestone is not in dispute', multi(), resolveFirst],
    ['The milestone has already been released', multi({ disputed: true, released: true }), resolveFirst],
    ['Every distributed amount must be greater than zero', multi(disputed), { ...resolveFirst, distributions: to(0n) }],
    ['must not exceed the milestone amount', multi(disputed), { ...resolveFirst, distributions: to(601n) }],
    ['balance is not enough for the distributions', multi(disputed, { balanceUnits: 599n }), resolveFirst],
  ])('%s', (message, escrow, given) => {
    expect(() => call(escrow, given)).toThrow(message);
  });

  it('unless it pays less than the milestone, whose status becomes resolved', () => {
    const { escrow } = call(multi(disputed), { ...resolveFirst, distributions: to(1n) });
    expect(escrow.milestones[0]).toMatchObject({ status: 'resolved', flags: { disputed: false, resolved: true } });
    expect(escrow.balanceUnits).toBe(999n);
  });
});

describe('a withdrawal of the remaining funds', () => {
  const withdraw = { name: 'withdraw_remaining_funds', caller: 'arbiter', distributions: to(1_000n) } as const;
  const settled = (escrow: Escrow, flags: Partial<MilestoneFlags>): Escrow => ({
    ...escrow,
    milestones: escrow.milestones.map((milestone) => ({ ...milestone, flags: { ...noFlags, ...flags } })),
  });
  it.each<Refusal>([
    ['There can be at most 50 distributions', multi(), { ...withdraw, caller: 'x', distributions: many }],
    ['Only the dispute resolver can execute this function', multi(), { ...withdraw, caller: 'buyer' }],
    ['Every milestone must be released, resolved or disputed first', multi({ released: true }), withdraw],
    ['Every milestone must be released, resolved or disputed first', single(), withdraw],
    ['greater than zero', settled(multi(), { released: true }), { ...withdraw, distributions: to(0n) }],
    ['balance is not enough', settled(multi(), { resolved: true }), { ...withdraw, distributions: to(1_001n) }],
  ])('is refused: %s', (message, escrow, given) => {
    expect(() => call(escrow, given)).toThrow(message);
  });

  it.each([
    ['a settled multi-release contract', settled(multi(), { released: true })],
    ['a disputed multi-release contract', settled(multi(), { disputed: true })],
    ['a released single-release contract', single({ released: true })],
  ])('is paid out of %s, with fees', (_which, escrow) => {
    const { transfers } = call(escrow, withdraw);
    expect(transfers.map(({ to: payee, units }) => [payee, units])).toEqual([
      ['provider', 3n],
      ['platform', 50n],
      ['recipient 0', 947n],
    ]);
  });
});

describe('a payout', () => {
  const release = { name: 'release_funds', caller: 'signer' } as const;

  it('pays the provider at the address of the call, or at the address in the code', () => {
    const payees = (feesAddress?: string) =>
      call(single({ approved: true }), { ...release, feesAddress }).transfers.map(({ to: payee }) => payee);
    expect(payees('named')).toEqual(['named', 'platform', 'receiver']);
    expect(payees()).toEqual(['provider', 'platform', 'receiver']);
  });

  it('has no transfers of nothing', () => {
    const free = single({ approved: true }, { platformFeeBasisPoints: 0n, units: 333n });
    expect(call(free, release).transfers.map(({ to: payee }) => payee)).toEqual(['receiver']);
  });
});

describe('a change of the status', () => {
  const change = { name: 'change_milestone_status', caller: 'seller', index: 0, status: 'done' } as const;

  it('keeps the evidence that it does not name, and is possible during a dispute', () => {
    const evidenceAfter = (evidence?: string) =>
      call(single({ disputed: true }), { ...change, evidence }).escrow.milestones[0]?.evidence;
    expect([evidenceAfter(), evidenceAfter(''), evidenceAfter('photo')]).toEqual(['before', '', 'photo']);
  });
});
