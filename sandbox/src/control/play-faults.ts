import { setTimeout as pause } from 'node:timers/promises';
import type { Reply, WebRequest } from '../web/route.js';
import { faultKinds, type Fault, type FaultKind, type FaultOperation, type FaultTarget, type Faults } from './faults.js';

/** How a provider says that something went wrong, in its own form. */
export type FaultReplies = {
  readonly failedBefore: () => Reply;
  readonly failedAfter: () => Reply;
  readonly rateLimited: () => Reply;
};

export type Step = { readonly target: FaultTarget; readonly operation: FaultOperation; readonly kinds?: readonly FaultKind[] };

export type PlayFaults = (step: Step, request: Pick<WebRequest, 'left'>, work: Work) => Reply | Promise<Reply>;

type Work = () => Reply | Promise<Reply>;

const allKinds: readonly FaultKind[] = [...faultKinds.before, ...faultKinds.after];
const errorStatus = 400;
/** A held connection ends at the latest after this long, so that a forgotten fault does not keep it for ever. */
const holdMsMax = 10 * 60_000;

/** Does the work of one call, unless a fault prevents it, and answers truly, unless a fault spoils the answer. */
export function createPlayFaults(faults: Faults, replies: FaultReplies): PlayFaults {
  const play = async ({ target, operation, kinds = allKinds }: Step, request: Pick<WebRequest, 'left'>, work: Work) => {
    const strike = (some: readonly FaultKind[]): Fault | undefined =>
      faults.strike({ target, operation, kinds: some.filter((kind) => kinds.includes(kind)) });
    const before = strike(faultKinds.before);
    const refused = before === undefined ? undefined : refusalOf(before, replies);
    if (refused !== undefined) return refused;
    if (before !== undefined) await hold(before.latencyMs ?? 0, faults, request);
    const reply = await work();
    const after = reply.status >= errorStatus ? undefined : strike(faultKinds.after);
    return after === undefined ? reply : spoil(reply, after, () => hold(after.latencyMs ?? holdMsMax, faults, request), replies);
  };
  return (step, request, work) => (faults.list().length === 0 ? work() : play(step, request, work));
}

function refusalOf({ kind }: Fault, replies: FaultReplies): Reply | undefined {
  if (kind === 'error-before-effect') return replies.failedBefore();
  return kind === 'rate-limited' ? replies.rateLimited() : undefined;
}

async function spoil(reply: Reply, fault: Fault, holdConnection: () => Promise<void>, replies: FaultReplies): Promise<Reply> {
  if (fault.kind === 'error-after-effect') return replies.failedAfter();
  if (fault.kind === 'malformed') return { status: 200, text: '<html><body>upstream', contentType: 'text/html' };
  if (fault.kind === 'timeout-after-effect') await holdConnection();
  return fault.kind === 'no-contract-id' ? withoutContract(reply) : reply;
}

/** Keeps the other side waiting, until it leaves or the faults are deleted. */
async function hold(timeoutMs: number, faults: Faults, { left }: Pick<WebRequest, 'left'>): Promise<void> {
  const signal = AbortSignal.any([left(), faults.cleared()]);
  await pause(timeoutMs, undefined, { signal }).catch(() => undefined);
}

function withoutContract(reply: Reply): Reply {
  if (typeof reply.json !== 'object' || reply.json === null) return reply;
  const { contractId: _id, escrow: _escrow, ...json } = { ...reply.json, contractId: undefined, escrow: undefined };
  return { ...reply, json };
}
