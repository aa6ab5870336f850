import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { anOrder } from '../testing/an-order.js';
import { waitForRun } from './start-saga.js';
import type { Deps, OrderOutcome } from './ports.js';
import { recordOf } from './records.js';

const order = anOrder();
const ctx = { caller: { marketplaceId: order.marketplaceId } } as Context;

function depsThat(wait: Deps['runs']['wait']): Deps {
  return { runs: { wait, requireAccepting: () => undefined }, timeoutMs: 1_000 } as unknown as Deps;
}

describe('a run that a request waits for', () => {
  it('is expected before it starts, so that an immediate outcome is not missed', async () => {
    let settle: ((outcome: OrderOutcome) => void) | undefined;
    const deps = depsThat(() => new Promise((resolve) => (settle = resolve)));
    const start = () => {
      settle?.({ status: 'succeeded', record: recordOf(order) });
      return Promise.resolve(order.id);
    };
    expect(await waitForRun(deps, { runId: 'run_1', start }, ctx)).toEqual(recordOf(order));
  });

  it('is not expected any more when its start is refused', async () => {
    let signal: AbortSignal | undefined;
    const deps = depsThat((_runId, _timeoutMs, given) => {
      signal = given;
      return new Promise(() => undefined);
    });
    const start = () => Promise.reject(new AppError('INVALID_STATE'));
    await expect(waitForRun(deps, { runId: 'run_1', start }, ctx)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(signal?.aborted).toBe(true);
  });
});
