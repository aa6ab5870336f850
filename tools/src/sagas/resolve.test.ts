import { getSagaResolution, listSagaRuns, type SagaRunView } from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import { AppError } from '@holdfast/kernel/errors';
import { idFactory } from '@holdfast/kernel/ids';
import { resolve } from './resolve.js';

const newId = idFactory(() => 0);
const runId = newId('run');
const current = newId('run');
const options = { runId, outcome: 'failed', by: 'Ada', evidence: 'ticket 7' } as const;
const earlier = { status: 'RESOLVED', outcome: 'succeeded', requestedBy: 'Ada', approvedBy: 'Grace', orderId: 'ord_1' };

/** A service that has these responses, by the name of the route; for others it has none. */
function serviceWith(responses: Readonly<Record<string, unknown>>): ServiceClient {
  const call = ({ name }: { readonly name: string }): Promise<unknown> =>
    name in responses ? Promise.resolve(responses[name]) : Promise.reject(new AppError('NOT_FOUND'));
  return { call } as unknown as ServiceClient;
}

function aRun(facts: Partial<SagaRunView>): Partial<SagaRunView> {
  return {
    id: runId,
    saga: 'create-escrow',
    isPastPointOfNoReturn: false,
    retryStoppedReason: null,
    currentRunId: null,
    ...facts,
  };
}

async function refusalOf(runs: readonly Partial<SagaRunView>[], resolution?: object): Promise<readonly [number, string]> {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const orders = serviceWith({ [listSagaRuns.name]: { runs } });
  const adapter = serviceWith(resolution === undefined ? {} : { [getSagaResolution.name]: resolution });
  const code = await resolve({ orders, adapter }, options);
  const text = printed.mock.calls.flat().join('\n');
  printed.mockRestore();
  return [code, text];
}

describe('npm run sagas -- resolve', () => {
  it('refuses a run that can still end by itself, and says how to resend its command', async () => {
    const advice = expect.stringMatching(/can still end by itself.*npm run sagas -- redrive run_/);
    expect(await refusalOf([aRun({})])).toEqual([1, advice]);
  });

  it('refuses a sequence of sagas, and names the run of its current one', async () => {
    const sequence = aRun({ saga: 'init-escrow', currentRunId: current });
    expect(await refusalOf([sequence])).toEqual([1, expect.stringContaining(`resolve the run of its current one, ${current}`)]);
  });

  it('refuses a run that is not open', async () => {
    expect(await refusalOf([])).toEqual([1, expect.stringContaining(`${runId} is not an open saga run`)]);
  });

  it('refuses a success without the transaction that proves it', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const services = { orders: serviceWith({}), adapter: serviceWith({}) };
    expect(await resolve(services, { ...options, outcome: 'succeeded' })).toBe(1);
    expect(printed.mock.calls.flat().join()).toContain('--as succeeded needs --transaction');
    printed.mockRestore();
  });

  it('refuses another outcome than the one that was decided before', async () => {
    const fact = 'The run of ord_1 has ended: Ada and Grace resolved it as succeeded.';
    expect(await refusalOf([], earlier)).toEqual([1, fact]);
  });
});
