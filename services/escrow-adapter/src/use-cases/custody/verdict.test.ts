import type { FoundChanges } from '@holdfast/ledger-network/rpc';
import { stranger, wallet } from '@holdfast/ledger-network/testing';
import { verdictOn } from './verdict.js';
import type { Claim } from './ports.js';

const claim: Claim = { address: wallet, asset: 'USDC', units: 50_000_000n, operation: 1, isClaimable: false };
const claimed = { ledger: 700, claims: [claim] };
const none = { balances: [], claimable: [] };
const change = { address: wallet, asset: 'USDC', units: 50_000_000n } as const;

const landed = (...operations: Extract<FoundChanges, { status: 'landed' }>['operations']): FoundChanges => ({
  status: 'landed',
  ledger: 700,
  operations,
});

describe('a transaction that the history shows', () => {
  it('is proven by the same change in the same operation', () => {
    expect(verdictOn(claimed, landed(none, { ...none, balances: [change] }))).toBe('proven');
  });

  it.each<readonly [string, FoundChanges]>([
    ['another amount', landed(none, { ...none, balances: [{ ...change, units: 5_000_000n }] })],
    ['another asset', landed(none, { ...none, balances: [{ ...change, asset: 'XLM' }] })],
    ['another address', landed(none, { ...none, balances: [{ ...change, address: stranger }] })],
    ['another operation', landed({ ...none, balances: [change] }, none)],
    ['a claimable balance only', landed(none, { ...none, claimable: [change] })],
    ['no change at all', landed()],
    ['another ledger', { status: 'landed', ledger: 701, operations: [none, { ...none, balances: [change] }] }],
    ['a failure', { status: 'failed', ledger: 700 }],
    ['nothing in that ledger', { status: 'missing', oldestLedger: 700, latestLedger: 700 }],
  ])('is contradicted by %s', (_what, found) => {
    expect(verdictOn(claimed, found)).toBe('contradicted');
  });

  it('needs the claimable balance itself, where it says so', () => {
    const claimable = { ledger: 700, claims: [{ ...claim, isClaimable: true }] };
    expect(verdictOn(claimable, landed(none, { ...none, claimable: [change] }))).toBe('proven');
    expect(verdictOn(claimable, landed(none, { ...none, balances: [change] }))).toBe('contradicted');
  });

  it('needs all of its changes', () => {
    const two = { ledger: 700, claims: [claim, { ...claim, address: stranger, units: -50_000_000n }] };
    expect(verdictOn(two, landed(none, { ...none, balances: [change] }))).toBe('contradicted');
  });

  it('waits for a node that does not have the ledger yet', () => {
    expect(verdictOn(claimed, { status: 'missing', oldestLedger: 600, latestLedger: 699 })).toBe('pending');
  });

  it('is forgotten by a node that begins later', () => {
    expect(verdictOn(claimed, { status: 'missing', oldestLedger: 701, latestLedger: 900 })).toBe('forgotten');
  });
});
