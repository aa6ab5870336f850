import { dueProofs } from './due-proofs.js';

/** A clock that the test moves, and how often something was proved. */
function proofs(dueInMs: readonly (number | undefined)[]) {
  const state = { nowMs: 1_000, proofs: 0, fails: false };
  const waiting = [...dueInMs];
  const created = dueProofs({
    prove: async () => {
      state.proofs += 1;
      if (state.fails) throw new Error('the RPC is away');
      return [];
    },
    nextDueInMs: async () => waiting.shift(),
    clock: { epochMs: () => state.nowMs },
  });
  return { state, ...created };
}

describe('the proofs of stored transactions', () => {
  it('are tried at once, then when the next transaction is due, and not before', async () => {
    const { state, prove } = proofs([3_000]);
    await prove();
    state.nowMs += 2_999;
    await prove();
    expect(state.proofs).toBe(1);
    state.nowMs += 1;
    await prove();
    expect(state.proofs).toBe(2);
  });

  it('are tried after ten seconds, although nothing is known to be due', async () => {
    const { state, prove } = proofs([undefined]);
    await prove();
    state.nowMs += 9_999;
    await prove();
    expect(state.proofs).toBe(1);
    state.nowMs += 1;
    await prove();
    expect(state.proofs).toBe(2);
  });

  it('are tried as soon as a process has stored a transaction', async () => {
    const { state, prove, onClaimed } = proofs([undefined]);
    await prove();
    onClaimed();
    await prove();
    expect(state.proofs).toBe(2);
  });

  it('are tried again after a failure', async () => {
    const { state, prove } = proofs([undefined]);
    state.fails = true;
    await expect(prove()).rejects.toThrow('away');
    state.fails = false;
    await prove();
    expect(state.proofs).toBe(2);
  });
});
