import { setTimeout as pause } from 'node:timers/promises';
import type { RouteResponse, WebRequest } from '../web/route.js';
import { faultKinds, type Fault, type FaultKind, type FaultOperation, type FaultTarget, type Faults } from './faults.js';

/** How a provider says that something went wrong, in its own form. */
export type FaultReplies = {
  readonly failedBefore: () => RouteResponse;
  readonly failedAfter: () => RouteResponse;
  readonly rateLimited: () => RouteResponse;
};

export type FaultPoint = {
  readonly target: FaultTarget;
  readonly operation: FaultOperation;
  readonly kinds?: readonly FaultKind[];
};

export type InjectFaults = (
  step: FaultPoint,
  request: Pick<WebRequest, 'clientClosed'>,
  call: Call,
) => RouteResponse | Promise<RouteResponse>;

type Call = () => RouteResponse | Promise<RouteResponse>;

const allKinds: readonly FaultKind[] = [...faultKinds.before, ...faultKinds.after];
const errorStatus = 400;
/** A held connection ends at the latest after this long, so that a forgotten fault does not keep it for ever. */
const holdMsMax = 10 * 60_000;

/** Does the work of one call, unless a fault prevents it, and answers truly, unless a fault spoils the answer. */
export function createInjectFaults(faults: Faults, replies: FaultReplies): InjectFaults {
  const inject = async (
    { target, operation, kinds = allKinds }: FaultPoint,
    request: Pick<WebRequest, 'clientClosed'>,
    call: Call,
  ) => {
    const takeFault = (some: readonly FaultKind[]): Fault | undefined =>
      faults.take({ target, operation, kinds: some.filter((kind) => kinds.includes(kind)) });
    const before = takeFault(faultKinds.before);
    const refused = before === undefined ? undefined : refusalOf(before, replies);
    if (refused !== undefined) return refused;
    if (before !== undefined) await hold(before.latencyMs ?? 0, faults, request);
    const reply = await call();
    const after = reply.status >= errorStatus ? undefined : takeFault(faultKinds.after);
    return after === undefined
      ? reply
      : applyAfterFault(reply, after, () => hold(after.latencyMs ?? holdMsMax, faults, request), replies);
  };
  return (step, request, call) => (faults.list().length === 0 ? call() : inject(step, request, call));
}

function refusalOf({ kind }: Fault, replies: FaultReplies): RouteResponse | undefined {
  if (kind === 'error-before-effect') return replies.failedBefore();
  return kind === 'rate-limited' ? replies.rateLimited() : undefined;
}

async function applyAfterFault(
  reply: RouteResponse,
  fault: Fault,
  holdConnection: () => Promise<void>,
  replies: FaultReplies,
): Promise<RouteResponse> {
  if (fault.kind === 'error-after-effect') return replies.failedAfter();
  if (fault.kind === 'malformed') return { status: 200, text: '<html><body>upstream', contentType: 'text/html' };
  if (fault.kind === 'timeout-after-effect') await holdConnection();
  return fault.kind === 'no-contract-id' ? withoutContract(reply) : reply;
}

/** Keeps the other side waiting, until it leaves or the faults are deleted. */
async function hold(timeoutMs: number, faults: Faults, { clientClosed }: Pick<WebRequest, 'clientClosed'>): Promise<void> {
  const signal = AbortSignal.any([clientClosed(), faults.cleared()]);
  await pause(timeoutMs, undefined, { signal }).catch(() => undefined);
}

function withoutContract(reply: RouteResponse): RouteResponse {
  if (typeof reply.json !== 'object' || reply.json === null) return reply;
  const { contractId: _id, escrow: _escrow, ...json } = { ...reply.json, contractId: undefined, escrow: undefined };
  return { ...reply, json };
}
