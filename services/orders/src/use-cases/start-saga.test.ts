import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { anOrder } from '../testing/an-order.js';
import { waitForRun } from './start-saga.js';
import type { Deps, ExpectedOutcome } from './ports.js';
import { recordOf } from './records.js';

const order = anOrder();
const ctx = { caller: { marketplaceId: order.marketplaceId } } as Context;

function depsThat(expect: () => ExpectedOutcome): Deps {
  return { runs: { expect, requireAccepting: () => undefined } } as unknown as Deps;
}

describe('a run that a request waits for', () => {
  it('is expected before it starts, so that an immediate outcome is not missed', async () => {
    let settle: ((record: ReturnType<typeof recordOf>) => void) | undefined;
    const outcome = new Promise<ReturnType<typeof recordOf>>((resolve) => (settle = resolve)).then(
      (record) => ({ status: 'succeeded', record }) as const,
    );
    const deps = depsThat(() => ({ outcome, cancel: () => undefined }));
    const start = () => {
      settle?.(recordOf(order));
      return Promise.resolve(order.id);
    };
    expect(await waitForRun(deps, { runId: 'run_1', start }, ctx)).toEqual(recordOf(order));
  });

  it('is not expected any more when its start is refused', async () => {
    const cancel = jest.fn();
    const deps = depsThat(() => ({ outcome: new Promise(() => undefined), cancel }));
    const start = () => Promise.reject(new AppError('INVALID_STATE'));
    await expect(waitForRun(deps, { runId: 'run_1', start }, ctx)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(cancel).toHaveBeenCalledTimes(1);
  });
});
