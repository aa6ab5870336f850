import type { SagaRunId } from '@holdfast/kernel/ids';
import type { NewSagaRun, RunFilter, SagaOutcome } from '@holdfast/sagas';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import type { UnitOfWork } from '../use-cases/ports.js';
import { anOrder } from './an-order.js';
import { recordOf } from '../use-cases/records.js';
import { aRun, insertOrder, runLimits, type PortFacts, type PortsUnderTest } from './ports-under-test.js';

const succeeded: SagaOutcome = { status: 'succeeded', record: recordOf(anOrder()) };
const failed: SagaOutcome = { status: 'failed', code: 'INSUFFICIENT_FUNDS', details: { available: '1.00' } };
const { firstAfterMs, afterMsMax } = runLimits.retries;
const aMinuteMs = 60_000;

type Started = NewSagaRun & { readonly write: (act: (runs: UnitOfWork['runs']) => void) => Promise<void> };

/** An open run with its own order. */
async function start(ports: PortsUnderTest, saga?: string): Promise<Started> {
  const { id: orderId } = await insertOrder(ports);
  const run = aRun(ports, orderId, saga);
  const write: Started['write'] = (act) => ports.onOrder({ marketplaceId: defaultMarketplaceId, orderId }, (tx) => act(tx.runs));
  await write((runs) => runs.start(run));
  return { ...run, write };
}

/** Takes all due runs, and returns the one of the test. */
async function taken(take: (limitMax: number) => Promise<readonly { readonly id: SagaRunId }[]>, { id }: NewSagaRun) {
  return (await take(1_000)).find((run) => run.id === id);
}

export const runFacts: PortFacts = {
  'a request that waits gets the outcome with the commit, before and after; the first outcome stays': async (ports) => {
    const run = await start(ports);
    const waiting = ports.runs.wait(run.id, aMinuteMs);
    await run.write((runs) => runs.close(run.id, failed));
    expect(await waiting).toEqual(failed);
    await run.write((runs) => runs.close(run.id, succeeded));
    expect(await ports.runs.wait(run.id, aMinuteMs)).toEqual(failed);
  },

  'an early response reaches the waiting request while the run stays open; the first one counts': async (ports) => {
    const run = await start(ports);
    const waiting = ports.runs.wait(run.id, aMinuteMs);
    await run.write((runs) => runs.respondEarly(run.id, succeeded));
    expect(await waiting).toEqual(succeeded);
    await run.write((runs) => runs.respondEarly(run.id, failed));
    expect(await ports.runs.wait(run.id, aMinuteMs)).toEqual(succeeded);
    expect(await ports.runs.restartRetries(run.id)).toMatchObject({ id: run.id });
  },

  'a wait ends with PROVIDER_TIMEOUT at its time limit, and with the reason of its signal': async (ports) => {
    const run = await start(ports);
    await expect(ports.runs.wait(run.id, 1)).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
    const stopping = new AbortController();
    const waiting = ports.runs.wait(run.id, aMinuteMs, stopping.signal);
    const reason = new Error('the start was refused');
    stopping.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(() => ports.runs.requireAccepting()).not.toThrow();
  },

  'a run is due after its first delay, then after delays that double up to the longest one': async (ports) => {
    const run = await start(ports);
    expect(await taken(ports.runs.takeDue, run)).toBeUndefined();
    await ports.pass(firstAfterMs);
    expect(await taken(ports.runs.takeDue, run)).toMatchObject({ id: run.id, saga: run.saga, attempts: 1 });
    await ports.pass(2 * firstAfterMs - 30_000);
    expect(await taken(ports.runs.takeDue, run)).toBeUndefined();
    await ports.pass(30_000);
    expect(await taken(ports.runs.takeDue, run)).toMatchObject({ attempts: 2 });
    await ports.pass(afterMsMax);
    expect(await taken(ports.runs.takeDue, run)).toMatchObject({ attempts: 3 });
    expect(await ports.runs.restartRetries(run.id)).toMatchObject({ attempts: 0, retryStoppedReason: null });
    await ports.pass(firstAfterMs);
    expect(await taken(ports.runs.takeDue, run)).toMatchObject({ attempts: 1 });
  },

  'a run whose retries were stopped is not due until an operator restarts them': async (ports) => {
    const run = await start(ports);
    await run.write((runs) => runs.stopRetries(run.id, 'paid otherwise'));
    await ports.pass(afterMsMax);
    expect(await taken(ports.runs.takeDue, run)).toBeUndefined();
    const [stalled] = (await ports.runs.stalledRuns(0, 1_000)).filter(({ id }) => id === run.id);
    expect(stalled).toMatchObject({ nextRetryAt: null, retryStoppedReason: 'paid otherwise' });
    await ports.runs.restartRetries(run.id);
    await ports.pass(firstAfterMs);
    expect(await taken(ports.runs.takeDue, run)).toMatchObject({ retryStoppedReason: null });
  },

  'a run is overdue after its deadline, once per deadline; one without a deadline never is': async (ports) => {
    const [run, endless] = [await start(ports), await start(ports, 'cancel')];
    expect(await taken(ports.runs.takeOverdue, run)).toBeUndefined();
    await ports.pass(runLimits.deadlines.afterMs);
    const overdue = (await ports.runs.takeOverdue(1_000)).map(({ id }) => id);
    expect([overdue.includes(run.id), overdue.includes(endless.id)]).toEqual([true, false]);
    expect(await taken(ports.runs.takeOverdue, run)).toBeUndefined();
    await ports.pass(runLimits.deadlines.afterMs);
    expect(await taken(ports.runs.takeOverdue, run)).toMatchObject({ id: run.id });
  },

  'open runs are listed oldest first; a closed run is neither listed, due nor restarted': async (ports) => {
    const first = await start(ports);
    await ports.pass(1_000);
    const second = await start(ports);
    await ports.pass(10 * aMinuteMs);
    const young = await start(ports);
    const ours: readonly string[] = [first.id, second.id, young.id];
    const stalled = async () =>
      (await ports.runs.stalledRuns(5 * aMinuteMs, 1_000)).map(({ id }) => id).filter((id) => ours.includes(id));
    expect(await stalled()).toEqual([first.id, second.id]);
    await first.write((runs) => runs.close(first.id, succeeded));
    expect(await stalled()).toEqual([second.id]);
    expect(await taken(ports.runs.takeDue, first)).toBeUndefined();
    expect(await ports.runs.restartRetries(first.id)).toBeUndefined();
    expect(await ports.runs.stalledRuns(0, 1)).toHaveLength(1);
  },

  'runs are listed by state, saga and aggregate, a page at a time, and found after their end': async (ports) => {
    const [stopped, retried, fresh] = [await start(ports), await start(ports), await start(ports, 'cancel')];
    const ours = [stopped.id, retried.id, fresh.id];
    const listed = async (filter: RunFilter): Promise<readonly SagaRunId[]> =>
      (await ports.runs.stalledRuns(-aMinuteMs, 1_000, filter)).map(({ id }) => id).filter((id) => ours.includes(id));
    await stopped.write((runs) => runs.stopRetries(stopped.id, 'paid otherwise'));
    expect(await listed({ state: 'CONTRADICTED' })).toEqual([stopped.id]);
    expect(await listed({ saga: 'cancel' })).toEqual([fresh.id]);
    expect(await listed({ aggregateId: retried.aggregateId })).toEqual([retried.id]);
    expect([...(await listed({ state: 'RUNNING' }))].sort()).toEqual([retried.id, fresh.id].sort());
    await ports.pass(firstAfterMs);
    await taken(ports.runs.takeDue, retried);
    expect((await ports.runs.find(retried.id))?.state).toBe('RETRYING');
    await ports.pass(runLimits.deadlines.afterMs);
    expect((await ports.runs.find(retried.id))?.state).toBe('OVERDUE');
    expect((await ports.runs.find(fresh.id))?.state).not.toBe('OVERDUE');
    const [first, ...others] = (await ports.runs.stalledRuns(-aMinuteMs, 1_000)).filter(({ id }) => ours.includes(id));
    expect(await listed({ after: first })).toEqual(others.map(({ id }) => id));
    await retried.write((runs) => runs.close(retried.id, failed));
    expect(await ports.runs.find(retried.id)).toMatchObject({ state: 'FAILED', endedAt: expect.any(String) });
    expect(await listed({ aggregateId: retried.aggregateId })).toEqual([]);
    expect(await ports.runs.find(`${fresh.id.slice(0, -4)}0000` as SagaRunId)).toBeUndefined();
  },
};
