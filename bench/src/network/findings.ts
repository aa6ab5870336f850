import type { Drawing, Target } from '../frame/results.js';
import { quantile, spreadOf } from '../frame/statistics.js';
import { budgetUse, type BudgetUse, type Window } from './budget-use.js';
import type { LandedStep } from './landed-steps.js';
import type { PlayedOrder } from './order-client.js';
import type { ProviderCall } from './provider-recorder.js';
import { drawTimeLine, phasesOf, sumByPhase, type Phase } from './time-line.js';

/** What one run with a number of replicas has seen; times are unix milliseconds. */
export type NetworkRun = {
  readonly replicas: number;
  readonly ledgerMs: number;
  readonly callsPerMinute: number;
  readonly window: Window;
  readonly orders: readonly PlayedOrder[];
  /** Of all orders, also those that did not end. */
  readonly steps: ReadonlyMap<string, readonly LandedStep[]>;
  readonly calls: readonly ProviderCall[];
  readonly closedAt: (ledger: number) => number | undefined;
};

const budgetPercentMin = 90;
const ledgersRatioMax = 1.5;
const msPerMinute = 60_000;

export function targetsOf(run: NetworkRun): readonly Target[] {
  const where = replicasText(run.replicas);
  const failures = failuresOf(run).length;
  const { useful, allowed } = useOf(run);
  const share = (useful / allowed) * 100;
  const ratios = measuredOrders(run).map((order) => durationOf(order) / ledgersMsOf(run, order));
  return [
    { work: `false failures of orders, ${where}`, unit: '', atMost: 0, measured: spreadOf([failures]) },
    {
      work: `the provider's budget used by calls that end orders, ${where}`,
      unit: ' %',
      atLeast: budgetPercentMin,
      measured: spreadOf([share]),
    },
    {
      work: `an order against the sum of its ledgers, p50, ${where}`,
      unit: 'x',
      atMost: ledgersRatioMax,
      measured: spreadOf(ratios),
    },
  ];
}

export function drawingsOf(run: NetworkRun): readonly Drawing[] {
  const where = replicasText(run.replicas);
  return [
    { title: `Orders, ${where}`, lines: orderLines(run) },
    { title: `Calls to the escrow provider, ${where}`, lines: callLines(useOf(run)) },
    { title: `The median order, ${where}`, lines: medianOrderLines(run) },
  ];
}

function replicasText(replicas: number): string {
  return replicas === 1 ? 'one process of each service' : `${replicas.toString()} processes of each service`;
}

function failuresOf({ orders }: NetworkRun): readonly string[] {
  return orders.map(({ failure }) => failure).filter((failure) => failure !== undefined);
}

/** Those that began in the measured time, and ended. */
function measuredOrders({ orders, window }: NetworkRun): readonly PlayedOrder[] {
  return orders.filter(({ failure, calls }) => failure === undefined && (calls[0]?.startedAt ?? 0) >= window.startedAt);
}

function useOf({ orders, steps, calls, window, callsPerMinute }: NetworkRun): BudgetUse {
  const ended = new Map(orders.filter(({ failure }) => failure === undefined).map(({ id }) => [id, steps.get(id) ?? []]));
  return budgetUse(calls, ended, window, callsPerMinute);
}

function durationOf({ calls }: PlayedOrder): number {
  return (calls.at(-1)?.endedAt ?? Number.NaN) - (calls[0]?.startedAt ?? Number.NaN);
}

function ledgersMsOf({ steps, ledgerMs }: NetworkRun, { id }: PlayedOrder): number {
  return (steps.get(id) ?? []).length * ledgerMs;
}

function orderLines(run: NetworkRun): readonly string[] {
  const measured = measuredOrders(run);
  const durations = measured.map(durationOf).toSorted((one, other) => one - other);
  const ended = run.orders.filter((order) => order.failure === undefined && endedWithin(order, run.window)).length;
  const minutes = (run.window.endedAt - run.window.startedAt) / msPerMinute;
  const failures = failuresOf(run);
  const facts: readonly (readonly [string, string])[] = [
    ['ended in the measured time', `${ended.toString()}, ${(ended / minutes).toFixed(1)} a minute`],
    ['p50', seconds(quantile(durations, 0.5))],
    ['p95', seconds(quantile(durations, 0.95))],
    ['sum of the ledgers, median', seconds(spreadOf(measured.map((order) => ledgersMsOf(run, order))).median)],
    ['steps that got 504 and ended by themselves', run.orders.reduce((sum, { lateSteps }) => sum + lateSteps, 0).toString()],
    ['false failures', failures.length.toString()],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  return [...facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`), ...failures.map((failure) => `  ${failure}`)];
}

function endedWithin({ calls }: PlayedOrder, { startedAt, endedAt }: Window): boolean {
  const at = calls.at(-1)?.endedAt ?? 0;
  return at >= startedAt && at < endedAt;
}

function callLines({ calls, allowed, useful, byRoute }: BudgetUse): readonly string[] {
  const routes = [...byRoute].toSorted(([one], [other]) => one.localeCompare(other));
  const width = Math.max('in all'.length, ...routes.map(([route]) => route.length));
  const row = (...cells: readonly string[]): string =>
    cells.map((cell, nth) => (nth === 0 ? cell.padEnd(width) : cell.padStart(8))).join('');
  return [
    row('', 'calls', 'refused', 'useful'),
    ...routes.map(([route, made]) => row(route, made.calls.toString(), made.refused.toString(), made.useful.toString())),
    row('in all', calls.toString(), '', useful.toString()),
    `allowed in the measured time: ${allowed.toFixed(0)}`,
  ];
}

function medianOrderLines(run: NetworkRun): readonly string[] {
  const sorted = measuredOrders(run).toSorted((one, other) => durationOf(one) - durationOf(other));
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  if (median === undefined) return ['no order ended'];
  const phases = phasesOf(median, run.steps.get(median.id) ?? [], run);
  return [...drawTimeLine(phases), '', ...sharesOf(phases)];
}

function sharesOf(phases: readonly Phase[]): readonly string[] {
  return [...sumByPhase(phases)].map(([name, ms]) => `${name}: ${seconds(ms)}`);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
