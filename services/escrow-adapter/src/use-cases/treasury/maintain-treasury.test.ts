import { setImmediate as nextTurn } from 'node:timers/promises';
import { silentLog } from '@holdfast/testing/log';
import { maintainTreasury, type TreasuryDeps } from './maintain-treasury.js';
import type { Faucet } from './ports.js';

const unitsPerWhole = 10_000_000n;
const accounts = { treasury: 'GTREASURY', platform: 'GPLATFORM', channels: ['GCHANNEL'] } as unknown as TreasuryDeps['accounts'];

/** A network without a treasury, and a faucet that pays a reference once. */
function aNetwork() {
  const state = { xlm: undefined as bigint | undefined, usdc: 0n, sequence: 7n, payments: 0 };
  const known = new Set<string>();
  const faucet: Faucet = async ({ asset, amount, reference }) => {
    await nextTurn();
    if (known.has(reference)) return;
    known.add(reference);
    state.payments += 1;
    if (asset === 'XLM') state.xlm = (state.xlm ?? 0n) + BigInt(amount) * unitsPerWhole;
    else state.usdc += BigInt(amount) * unitsPerWhole;
  };
  const entries = { reservedUnits: 0n, sequence: 1n, data: {} };
  const account: TreasuryDeps['network']['account'] = async (address) => {
    const { xlm, usdc: tokens, sequence } = state;
    await nextTurn();
    if (address !== 'GTREASURY') return { ...entries, balances: { XLM: 100n * unitsPerWhole, USDC: 0n } } as never;
    return xlm === undefined ? undefined : ({ ...entries, sequence, balances: { XLM: xlm, USDC: tokens } } as never);
  };
  const deps: TreasuryDeps = {
    network: { account },
    submitter: { execute: () => Promise.resolve('nothing') } as unknown as TreasuryDeps['submitter'],
    accounts,
    freeChannels: () => Promise.resolve('nothing') as never,
    faucet,
    lowUnits: 0n,
    log: silentLog,
    onHoldings: () => undefined,
  };
  return { state, deps };
}

describe('the faucet of a test network', () => {
  it('fills a new treasury once, whatever number of replicas starts at the same time', async () => {
    const { state, deps } = aNetwork();
    await Promise.all([maintainTreasury(deps), maintainTreasury(deps), maintainTreasury(deps)]);
    expect(state).toMatchObject({ xlm: 100_000_000n * unitsPerWhole, usdc: 100_000_000n * unitsPerWhole, payments: 2 });
  });

  it('fills it again once it is low again, also with the same balance as before', async () => {
    const { state, deps } = aNetwork();
    await maintainTreasury(deps);
    Object.assign(state, { usdc: 0n, sequence: 8n });
    await Promise.all([maintainTreasury(deps), maintainTreasury(deps)]);
    expect(state).toMatchObject({ usdc: 100_000_000n * unitsPerWhole, payments: 3 });
  });
});
