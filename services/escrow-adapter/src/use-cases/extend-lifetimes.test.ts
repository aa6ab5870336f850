import { AppError } from '@holdfast/kernel/errors';
import type { DeployedContract } from '../domain/contract.js';
import { extendCode, extendLifetimes } from './extend-lifetimes.js';
import type { LifetimeChange } from '@holdfast/ledger-network/rpc';
import type { Deps } from './ports.js';
import type { TreasuryResult } from './treasury/ports.js';
import type { ContractEntries, ContractRef } from './entry-ports.js';

const latestLedger = 1_000_000;
const change: LifetimeChange = { does: 'extend', resources: '' };

function aContract(index: number): DeployedContract {
  return { contractId: `C${index}`, type: 'single-release', amount: { currency: 'USD' } } as unknown as DeployedContract;
}

function entriesOf(lives: readonly number[]): ContractEntries {
  const entry = { wasmHash: undefined, escrow: undefined, balanceUnits: undefined };
  const contracts = lives.map((left, index) => [`C${index}`, { ...entry, liveUntilLedger: latestLedger + left }] as const);
  return { latestLedger, contracts: new Map(contracts), spendable: new Map() };
}

/** Records what is planned, counted and logged; each submission has the next of these results. */
function aRun(results: readonly (TreasuryResult | Error)[], shortCode: readonly string[] = []) {
  const [left, planned, counted, logged]: [(TreasuryResult | Error)[], string[][], number[], string[]] = [
    [...results],
    [],
    [],
    [],
  ];
  const deps = {
    expectations: { tokenOf: () => 'token', wasmHashOf: (type: string) => `code of ${type}` },
    rpc: {
      planContractExtension: (refs: readonly ContractRef[]) => {
        planned.push(refs.map(({ contractId }) => contractId));
        return Promise.resolve(change);
      },
      planCodeExtension: ([hash = '']: readonly string[]) => Promise.resolve(shortCode.includes(hash) ? change : undefined),
    },
    changeLifetimes: async (plan: () => Promise<unknown>) => {
      await plan();
      const result = left.shift() ?? 'nothing';
      if (result instanceof Error) throw result;
      return result;
    },
    onLifetimesChanged: (_: string, contracts: number) => counted.push(contracts),
    log: { warn: () => logged.push('warn'), error: () => logged.push('error') },
  } as unknown as Deps;
  return { deps, planned, counted, logged, left };
}

const many = Array.from({ length: 12 }, (_, index) => aContract(index));

describe('extendLifetimes', () => {
  it('extends contracts with a short life, ten in a transaction, and counts them', async () => {
    const { deps, planned, counted } = aRun(['landed', 'landed']);
    await extendLifetimes(deps, many, entriesOf(Array<number>(12).fill(1_000)));
    expect(planned.map(({ length }) => length)).toEqual([10, 2]);
    expect(counted).toEqual([10, 2]);
  });

  it('leaves out contracts with a long life and archived ones', async () => {
    const { deps, planned } = aRun(['landed']);
    await extendLifetimes(deps, many.slice(0, 4), entriesOf([3_000_000, 0, -5, 518_399]));
    expect(planned).toEqual([['C3']]);
  });

  it.each(['open', 'failed', 'expired', 'nothing'] as const)('does not count a transaction that is %s', async (result) => {
    const { deps, counted, logged } = aRun([result]);
    await extendLifetimes(deps, many, entriesOf([1_000]));
    expect({ counted, logged }).toEqual({ counted: [], logged: [] });
  });

  it('continues after a failure; a refused signature is an error', async () => {
    const { deps, counted, logged } = aRun([new AppError('SERVICE_UNAVAILABLE'), new Error('The signature was refused.')]);
    await extendLifetimes(deps, many, entriesOf(Array<number>(12).fill(1_000)));
    expect({ counted, logged }).toEqual({ counted: [], logged: ['warn', 'error'] });
  });
});

describe('extendCode', () => {
  it('extends only code with a short life', async () => {
    const { deps, left } = aRun(['landed', 'landed'], ['code of multi-release']);
    await extendCode(deps);
    expect(left).toEqual(['landed']);
  });
});
