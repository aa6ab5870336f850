import { systemClock, toInstant, type Clock } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { silentLog } from '@holdfast/testing/log';
import type { FoundChanges, LedgerRpc } from '@holdfast/ledger-network/rpc';
import { contract, stranger, wallet } from '@holdfast/ledger-network/testing';
import { createProver, type ProverDeps } from './prover.js';
import type { LedgerOperation } from '@holdfast/ledger-network/values';
import type { ClaimedTransaction, OwnPlace, OpenClaim } from './ports.js';

const ledger = 700;
const id = ((BigInt(ledger) << 32n) + 4_097n).toString();
const units = 50_000_000n;
const places = new Map<string, OwnPlace>([
  [wallet, { place: 'wallet', ownerId: 'usr_1', marketplaceId: 'mkt_1' }],
  [contract, { place: 'contract', ownerId: 'ord_1', marketplaceId: 'mkt_1' }],
]);

function aClaim(to = wallet, operationId = id): ClaimedTransaction {
  const at = '2026-01-31T12:00:00.000000Z' as const;
  const deposit = { userId: 'usr_1', marketplaceId: 'mkt_1', operationId, transactionHash: 'a', landedAt: at } as const;
  return {
    hash: `hash-${operationId}`,
    ledger,
    claims: [{ operation: 0, address: to, asset: 'USDC', units, isClaimable: false }],
    legs: [],
    deposits: [{ ...deposit, asset: 'USDC', units }],
    unknownDeposits: [],
    outflows: [],
  };
}

const landed: FoundChanges = {
  status: 'landed',
  ledger,
  operations: [{ balances: [{ address: wallet, asset: 'USDC', units }], claimable: [] }],
};
const missing = { status: 'missing', oldestLedger: 600, latestLedger: 900 } as const;
const forgotten = { ...missing, oldestLedger: 800 };

function shownBySecond(amount = units): LedgerOperation {
  const transfers = [{ from: stranger, to: wallet, asset: 'USDC', units: amount }] as const;
  const fee = { address: stranger, units: 100n };
  return { id, type: 'payment', transactionHash: 'a', isSuccessful: true, at: '2026-01-31T12:00:00.000000Z', transfers, fee };
}

type Given = {
  readonly claims?: readonly ClaimedTransaction[];
  readonly held?: bigint;
  readonly holdings?: bigint;
  readonly second?: ProverDeps['secondHistory'];
  readonly now?: number;
  readonly rpc?: LedgerRpc['balanceChangesOf'];
};

/** Transactions that were seen at the time 0, and a node that shows this. */
function aProver(found: FoundChanges, given: Given = {}) {
  const { claims = [aClaim()], held = 0n, second, now = 0 } = given;
  const published: string[] = [];
  const givenUp: string[] = [];
  let holdings = given.holdings ?? 0n;
  const clock: Clock = { ...systemClock(), epochMs: () => now };
  const prove = createProver({
    rpc: {
      balanceChangesOf: given.rpc ?? (() => Promise.resolve(found)),
      accountBalances: () => Promise.resolve(new Map([[wallet, { balances: { USDC: held }, reservedUnits: 0n }]])),
    },
    secondHistory: second,
    store: {
      takeDue: () => Promise.resolve(claims.map((claim): OpenClaim => ({ ...claim, seenAt: toInstant(0) }))),
      publish: ({ hash }) => {
        published.push(hash);
        holdings += units;
        return Promise.resolve([]);
      },
      giveUp: ({ hash }) => {
        givenUp.push(hash);
        return Promise.resolve(true);
      },
      placesOf: () => Promise.resolve((address) => places.get(address)),
      holdingsOf: () => Promise.resolve(holdings),
    },
    giveUpAfterMs: 1_000,
    clock,
    log: silentLog,
    metrics: { onVerdict: () => undefined, onOutflow: () => undefined },
  });
  return { prove, published, givenUp };
}

describe('the proof of what the history says', () => {
  it("publishes what the network's accounting shows, and returns the deposits", async () => {
    const { prove, published } = aProver(landed);
    expect(await prove()).toHaveLength(1);
    expect(published).toEqual([aClaim().hash]);
  });

  it('publishes nothing that is not there, and opens a case after the time limit', async () => {
    const early = aProver(missing, { now: 999, held: units });
    expect([await early.prove(), early.published, early.givenUp]).toEqual([[], [], []]);
    const late = aProver(missing, { now: 1_000, held: units });
    expect([await late.prove(), late.published, late.givenUp]).toEqual([[], [], [aClaim().hash]]);
  });

  it('believes the balance of the wallet about a ledger that the node has forgotten', async () => {
    const covered = aProver(forgotten, { held: units + 7n, holdings: 7n });
    expect(await covered.prove()).toHaveLength(1);
    const short = aProver(forgotten, { held: units + 6n, holdings: 7n });
    expect(await short.prove()).toEqual([]);
  });

  it('counts a balance once, however many transactions claim it', async () => {
    const twice = aProver(forgotten, { held: units, claims: [aClaim(), aClaim(wallet, `${id}9`)] });
    expect(await twice.prove()).toHaveLength(1);
  });

  it('believes no balance about money in a contract', async () => {
    const inContract = aProver(forgotten, { held: units, claims: [aClaim(contract)] });
    expect(await inContract.prove()).toEqual([]);
  });

  it('believes a second history that shows the same, where the money has left the wallet', async () => {
    const second = { ofTransaction: () => Promise.resolve([shownBySecond()]) };
    expect(await aProver(forgotten, { second }).prove()).toHaveLength(1);
    expect(await aProver(missing, { second }).prove()).toEqual([]);
  });

  it.each<readonly [string, NonNullable<ProverDeps['secondHistory']>]>([
    ['shows another amount', { ofTransaction: () => Promise.resolve([shownBySecond(1n)]) }],
    ['does not have it', { ofTransaction: () => Promise.resolve([]) }],
    ['is away', { ofTransaction: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE')) }],
  ])('does not believe a second history that %s', async (_what, second) => {
    expect(await aProver(forgotten, { second }).prove()).toEqual([]);
  });

  it('throws while the RPC is away, and publishes nothing', async () => {
    const away = aProver(landed, { rpc: () => Promise.reject(new AppError('SERVICE_UNAVAILABLE')), now: 5_000 });
    await expect(away.prove()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect([away.published, away.givenUp]).toEqual([[], []]);
  });
});
