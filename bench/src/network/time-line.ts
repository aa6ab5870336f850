import type { Network } from './start-network.js';
import type { LandedStep } from './landed-steps.js';
import type { Call, PlayedOrder } from './order-client.js';
import type { ProviderCall } from './provider-recorder.js';

/** A stretch of an order's life; times are unix milliseconds. */
export type Phase = { readonly step: string; readonly name: PhaseName; readonly from: number; readonly to: number };

const phaseNames = ['request', 'until the build', 'build and sign', 'until the ledger', 'reply'] as const;
export type PhaseName = (typeof phaseNames)[number];

type Seen = { readonly calls: readonly ProviderCall[]; readonly closedAt: Network['closedAt'] };

/** The phases of an order one after the other, without gaps. "Until the build" is the wait for the budget and the source account. */
export function phasesOf({ id, calls }: PlayedOrder, steps: readonly LandedStep[], seen: Seen): readonly Phase[] {
  return calls.flatMap((call) => {
    const within = steps.filter(({ storedAt }) => storedAt >= call.startedAt && storedAt <= call.endedAt);
    if (within.length === 0) return [{ step: call.step, name: 'request', from: call.startedAt, to: call.endedAt } as const];
    return phasesOfCall(call, within, { ...seen, calls: callsOf(id, within, seen.calls) });
  });
}

function callsOf(orderId: string, steps: readonly LandedStep[], calls: readonly ProviderCall[]): readonly ProviderCall[] {
  const subjects = new Set([orderId, ...steps.map(({ contractId }) => contractId)]);
  return calls.filter(({ subject, status }) => subject !== undefined && subjects.has(subject) && status < 300);
}

function phasesOfCall(call: Call, steps: readonly LandedStep[], { calls, closedAt }: Seen): readonly Phase[] {
  let begunAt = call.startedAt;
  return steps.flatMap(({ step, storedAt, ledger }, nth) => {
    const built = calls.findLast(({ startedAt }) => startedAt >= begunAt && startedAt <= storedAt);
    const buildAt = built?.startedAt ?? storedAt;
    const landedAt = Math.max(storedAt, closedAt(ledger) ?? storedAt);
    const phases: Phase[] = [
      { step, name: 'until the build', from: begunAt, to: buildAt },
      { step, name: 'build and sign', from: buildAt, to: storedAt },
      { step, name: 'until the ledger', from: storedAt, to: landedAt },
    ];
    if (nth === steps.length - 1) phases.push({ step, name: 'reply', from: landedAt, to: call.endedAt });
    begunAt = landedAt;
    return phases;
  });
}

const columns = 60;

/** A row per phase: what it is, how long it took, and where it lies in the order's life. */
export function drawTimeLine(phases: readonly Phase[]): readonly string[] {
  const begin = Math.min(...phases.map(({ from }) => from));
  const end = Math.max(...phases.map(({ to }) => to));
  const column = (at: number): number => Math.round(((at - begin) / (end - begin)) * columns);
  const stepWidth = Math.max(...phases.map(({ step }) => step.length));
  const nameWidth = Math.max(...phaseNames.map((name) => name.length));
  const rows = phases.map(({ step, name, from, to }) => {
    const bar = '█'.repeat(Math.max(1, column(to) - column(from)));
    const line = `${' '.repeat(Math.min(column(from), columns - 1))}${bar}`.padEnd(columns);
    return `${step.padEnd(stepWidth)}  ${name.padEnd(nameWidth)}  ${seconds(to - from)}  |${line.slice(0, columns)}|`;
  });
  const total = `${'in all'.padEnd(stepWidth)}  ${''.padEnd(nameWidth)}  ${seconds(end - begin)}  |${'-'.repeat(columns)}|`;
  return [...rows, total];
}

/** How much of the order's life each kind of phase takes. */
export function sumByPhase(phases: readonly Phase[]): ReadonlyMap<PhaseName, number> {
  return new Map(
    phaseNames.map((name) => [
      name,
      phases.filter((phase) => phase.name === name).reduce((sum, { from, to }) => sum + to - from, 0),
    ]),
  );
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2).padStart(6)} s`;
}
