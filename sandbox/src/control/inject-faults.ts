import { setTimeout as pause } from 'node:timers/promises';
import type { RouteResponse, WebRequest } from '../web/route.js';
import { kindsIn, type FaultKind, type FaultOperation, type FaultTarget } from './fault-kinds.js';
import type { Fault, Faults } from './faults.js';

/** The error responses of a provider. */
export type FaultResponses = {
  readonly failedBefore: () => RouteResponse;
  readonly failedAfter: () => RouteResponse;
  readonly rateLimited: () => RouteResponse;
};

export type FaultPoint = {
  readonly target: FaultTarget;
  readonly operation: FaultOperation;
  readonly kinds?: readonly FaultKind[];
  /** Only faults of exactly this operation apply; faults of all operations do not. */
  readonly isNamed?: boolean;
  /** Returned instead of the call's own response where a fault claims a success. */
  readonly claimSuccess?: () => RouteResponse;
};

export type InjectFaults = (
  step: FaultPoint,
  request: Pick<WebRequest, 'clientClosed'>,
  call: Call,
) => RouteResponse | Promise<RouteResponse>;

type Call = () => RouteResponse | Promise<RouteResponse>;

const kindsBefore = kindsIn('before');
const kindsInstead = kindsIn('instead');
const kindsAfter = kindsIn('after', 'response');
const allKinds = [...kindsBefore, ...kindsAfter];
const errorStatus = 400;
/** Maximum time for which a fault holds a connection. */
const holdMsMax = 10 * 60_000;

/** Runs a call, and applies the matching faults before and after its effect. */
export function createInjectFaults(faults: Faults, responses: FaultResponses): InjectFaults {
  const inject = async (
    { target, operation, kinds = allKinds, isNamed, claimSuccess }: FaultPoint,
    request: Pick<WebRequest, 'clientClosed'>,
    call: Call,
  ) => {
    const takeFault = (some: readonly FaultKind[]): Fault | undefined =>
      faults.take({ target, operation, isNamed, kinds: some.filter((kind) => kinds.includes(kind)) });
    const before = takeFault(kindsBefore);
    const refused = before === undefined ? undefined : refusalOf(before, responses);
    if (refused !== undefined) return refused;
    if (before !== undefined) await hold(before.latencyMs ?? 0, faults, request);
    if (claimSuccess !== undefined && takeFault(kindsInstead) !== undefined) return claimSuccess();
    const response = await call();
    const after = isRefusal(response) ? undefined : takeFault(kindsAfter);
    return after === undefined
      ? response
      : applyAfterFault(response, after, () => hold(after.latencyMs ?? holdMsMax, faults, request), responses);
  };
  return (step, request, call) => (faults.list().length === 0 ? call() : inject(step, request, call));
}

function isRefusal(response: RouteResponse): boolean {
  return response.isRefusal === true || response.status >= errorStatus;
}

function refusalOf({ kind }: Fault, responses: FaultResponses): RouteResponse | undefined {
  if (kind === 'error-before-effect') return responses.failedBefore();
  return kind === 'rate-limited' ? responses.rateLimited() : undefined;
}

async function applyAfterFault(
  response: RouteResponse,
  fault: Fault,
  holdConnection: () => Promise<void>,
  responses: FaultResponses,
): Promise<RouteResponse> {
  if (fault.kind === 'error-after-effect') return responses.failedAfter();
  if (fault.kind === 'malformed') return { status: 200, text: '<html><body>upstream', contentType: 'text/html' };
  if (fault.kind === 'timeout-after-effect') await holdConnection();
  return fault.kind === 'no-contract-id' ? withoutContract(response) : response;
}

/** Holds the connection until the timeout, until the client disconnects or until the faults are deleted. */
async function hold(timeoutMs: number, faults: Faults, { clientClosed }: Pick<WebRequest, 'clientClosed'>): Promise<void> {
  const signal = AbortSignal.any([clientClosed(), faults.cleared()]);
  await pause(timeoutMs, undefined, { signal }).catch(() => undefined);
}

function withoutContract(response: RouteResponse): RouteResponse {
  if (typeof response.json !== 'object' || response.json === null) return response;
  const { contractId: _id, escrow: _escrow, ...json } = { ...response.json, contractId: undefined, escrow: undefined };
  return { ...response, json };
}
