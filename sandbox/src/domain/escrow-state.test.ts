import { hasSameState } from './escrow-state.js';
import type { Escrow, EscrowState } from './escrow.js';

const flags = { approved: false, disputed: false, released: false, resolved: false };
const milestone = { description: 'all', status: 'pending', evidence: '', flags };

const escrow: Escrow = {
  type: 'single-release',
  engagementId: 'ord_1',
  title: 'A vase',
  description: 'A blue vase',
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
  milestones: [milestone],
  flags: { disputed: false, released: false, resolved: false },
  token: 'token',
  contractId: 'C1',
  signer: 'buyer',
  asset: 'XLM',
  balanceUnits: 0n,
  createdAt: '',
  updatedAt: '',
};

describe('the state of an escrow', () => {
  it('equals the state of a copy, and undefined fields do not count', () => {
    const roles = { ...escrow.roles };
    expect(hasSameState(escrow, { ...escrow, roles, milestones: [{ ...milestone, flags: { ...flags } }] })).toBe(true);
    expect(hasSameState(escrow, { ...escrow, milestones: [{ ...milestone, units: undefined }] })).toBe(true);
  });

  it('does not contain the balance or the times', () => {
    const funded: Escrow = { ...escrow, balanceUnits: 7n, updatedAt: 'later' };
    expect(hasSameState(escrow, funded)).toBe(true);
  });

  it.each<Partial<EscrowState>>([
    { type: 'multi-release' },
    { engagementId: 'ord_2' },
    { title: '' },
    { description: '' },
    { roles: { ...escrow.roles, receiver: 'stranger' } },
    { roles: { ...escrow.roles, receiver: undefined } },
    { units: 1_001n },
    { platformFeeBasisPoints: 501n },
    { receiverMemo: 1 },
    { milestones: [] },
    { milestones: [milestone, milestone] },
    { milestones: [{ ...milestone, evidence: 'a photo' }] },
    { milestones: [{ ...milestone, flags: { ...flags, approved: true } }] },
    { milestones: [{ ...milestone, units: 1n }] },
    { flags: { ...escrow.flags, disputed: true } },
    { token: 'another' },
  ])('differs where a field does: %p', (change) => {
    expect(hasSameState(escrow, { ...escrow, ...change })).toBe(false);
    expect(hasSameState({ ...escrow, ...change }, escrow)).toBe(false);
  });
});
