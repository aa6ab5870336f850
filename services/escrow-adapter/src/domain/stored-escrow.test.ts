import { money } from '@holdfast/kernel/money';
import type { ContractType, DeployedContract } from './contract.js';
import { differingTerm, isDelivered, type StoredTerms } from './stored-escrow.js';

const contract: DeployedContract = {
  escrowId: 'esc_1',
  orderId: 'ord_1',
  marketplaceId: 'mkt_1',
  type: 'single-release',
  releaseMode: 'order',
  amount: money(1_000n, 'USDC'),
  buyerId: 'usr_1',
  sellerId: 'usr_2',
  title: 'A logo',
  description: 'With drafts',
  platformFeeBasisPoints: 500,
  milestones: [
    { ref: 'a', title: 'Drafts', units: 400n },
    { ref: 'b', title: 'Logo', units: 600n },
  ],
  status: 'CREATED',
  addresses: { buyer: 'GBUYER', seller: 'GSELLER', platform: 'GPLATFORM' },
  contractId: 'CONTRACT',
  isDisputeKnown: false,
  disputesKnown: [],
  milestonesKnown: [],
  milestonesSettled: [],
  version: 1,
  lastLedger: 7,
  createdAt: '2026-11-16T07:00:00.000000Z',
};

const common = {
  engagementId: 'ord_1',
  title: 'A logo',
  description: 'With drafts',
  platformFeeBasisPoints: 500,
  receiverMemo: 0,
  token: 'TOKEN',
  approver: 'GBUYER',
  serviceProvider: 'GSELLER',
  releaseSigner: 'GBUYER',
  disputeResolver: 'GPLATFORM',
  platform: 'GPLATFORM',
};
const single: StoredTerms = {
  ...common,
  receiver: 'GSELLER',
  units: 1_000n,
  milestones: [{ description: 'Drafts' }, { description: 'Logo' }],
};
const [drafts, logo] = [
  { description: 'Drafts', receiver: 'GSELLER', units: 400n },
  { description: 'Logo', receiver: 'GSELLER', units: 600n },
];
const multi: StoredTerms = { ...common, milestones: [drafts, logo] };
const ofType = (type: ContractType): DeployedContract => ({ ...contract, type });

describe('a contract on the network', () => {
  it('with the requested terms does not differ', () => {
    expect(differingTerm(contract, 'TOKEN', single)).toBeUndefined();
    expect(differingTerm(ofType('multi-release'), 'TOKEN', multi)).toBeUndefined();
  });

  it.each(Object.keys(common))('differs in its %s', (name) => {
    const other = { ...common, [name]: name === 'platformFeeBasisPoints' || name === 'receiverMemo' ? 501 : 'another' };
    expect(differingTerm(contract, 'TOKEN', { ...single, ...other })).toBe(name);
    expect(differingTerm(ofType('multi-release'), 'TOKEN', { ...multi, ...other })).toBe(name);
  });

  it('differs in amount, receiver and milestones', () => {
    expect(differingTerm(contract, 'TOKEN', { ...single, units: 999n })).toBe('units');
    expect(differingTerm(contract, 'TOKEN', { ...single, receiver: 'GSTRANGER' })).toBe('receiver');
    expect(differingTerm(contract, 'TOKEN', { ...single, milestones: [drafts] })).toBe('the number of milestones');
    const texts = [{ description: 'Drafts' }, { description: 'Nothing' }];
    expect(differingTerm(contract, 'TOKEN', { ...single, milestones: texts })).toBe('description of milestone 1');
  });

  it('differs in amount and receiver of a milestone', () => {
    const withSecond = (second: object) =>
      differingTerm(ofType('multi-release'), 'TOKEN', { ...multi, milestones: [drafts, { ...logo, ...second }] });
    expect(withSecond({ units: 599n })).toBe('units of milestone 1');
    expect(withSecond({ receiver: 'GSTRANGER' })).toBe('receiver of milestone 1');
  });
});

it.each([
  ['', false],
  ['pending', false],
  ['Pending', false],
  ['COMPLETED', true],
  ['delivered by hand', true],
])('a milestone with the status "%s" is delivered: %s', (status, expected) => {
  expect(isDelivered(status)).toBe(expected);
});
