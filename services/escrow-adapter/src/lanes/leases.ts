import { randomInt, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@holdfast/shared/errors';
import type { Database } from '@holdfast/shared/postgres';

export type Held = { readonly name: string; readonly release: () => void };

/**
 * Who uses something of which there is one, such as a source account: in order within a process, by a row between processes.
 * A lease that ran out is not noticed by its holder, so it may guard only what is safe without it.
 */
export type Leases = {
  /** Waits for one of the names, the least wanted one. SERVICE_UNAVAILABLE when it does not come free in time. */
  readonly acquire: (names: readonly string[], signal: AbortSignal) => Promise<Held>;
};

export type LeasesOptions = {
  readonly database: Pick<Database, 'pool'>;
  readonly leaseMs: number;
  readonly waitMsMax: number;
};

const takeLease = {
  name: 'take-lease',
  text: `
  insert into leases (name, token, until)
  values ($1, $2, now() + make_interval(secs => $3))
  on conflict (name) do update
  set token = excluded.token,
    until = excluded.until
  where leases.until < now()
  returning name`,
};

const giveLeaseBack = {
  name: 'give-lease-back',
  text: `
  update leases
  set until = '-infinity'
  where name = $1
    and token = $2`,
};

/** A process with a queue of its own passes a lease on without asking, but not so often that others never get it. */
const handoversMax = 32;
const askAgainMs = 20;

type Lease = { readonly token: string; readonly endsAt: number; readonly handovers: number };
/** Everybody in a line is given what the one before leaves: its lease, or nothing. */
type Line = { length: number; tail: Promise<Lease | undefined> };
type State = LeasesOptions & { readonly lines: Map<string, Line> };
type Pass = (lease: Lease | undefined) => void;

export function createLeases(options: LeasesOptions): Leases {
  const state: State = { ...options, lines: new Map() };
  return {
    acquire: async (names, signal) => {
      const deadline = performance.now() + options.waitMsMax;
      const name = leastWanted(state, names);
      const { before, pass } = queueUp(state, name);
      const lease = await inTurn(state, { name, before, pass, deadline, signal });
      let isReleased = false;
      const release = (): void => {
        if (!isReleased) leave(state, name, lease, pass);
        isReleased = true;
      };
      return { name, release };
    },
  };
}

/** Of equally wanted ones any: several processes should not all begin with the first. */
function leastWanted({ lines }: State, names: readonly string[]): string {
  const start = names.length > 1 ? randomInt(names.length) : 0;
  const [first, ...others] = [...names.slice(start), ...names.slice(0, start)];
  if (first === undefined) throw new Error('There is nothing to lease.');
  const wantedBy = (name: string): number => lines.get(name)?.length ?? 0;
  return others.reduce((best, name) => (wantedBy(name) < wantedBy(best) ? name : best), first);
}

function queueUp({ lines }: State, name: string): { readonly before: Promise<Lease | undefined>; readonly pass: Pass } {
  const line = lines.get(name) ?? { length: 0, tail: Promise.resolve(undefined) };
  lines.set(name, line);
  const before = line.tail;
  let pass: Pass = () => undefined;
  line.tail = new Promise((resolve) => {
    pass = resolve;
  });
  line.length += 1;
  return { before, pass };
}

type Turn = {
  readonly name: string;
  readonly before: Promise<Lease | undefined>;
  readonly pass: Pass;
  readonly deadline: number;
  readonly signal: AbortSignal;
};

const tooLong = Symbol('too long');

async function inTurn(state: State, turn: Turn): Promise<Lease> {
  const { name, before, pass, deadline } = turn;
  const left = new AbortController();
  try {
    const waited = pause(Math.max(0, deadline - performance.now()), tooLong, { signal: left.signal, ref: false });
    const inherited = await Promise.race([before, waited]);
    if (inherited === tooLong) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    return inherited ?? (await take(state, turn));
  } catch (error) {
    before.then((lease) => leave(state, name, lease, pass)).catch(() => undefined);
    throw error;
  } finally {
    left.abort();
  }
}

async function take({ database, leaseMs }: State, { name, deadline, signal }: Turn): Promise<Lease> {
  const token = randomUUID();
  for (;;) {
    signal.throwIfAborted();
    const endsAt = performance.now() + leaseMs;
    const { rowCount } = await database.pool.query({ ...takeLease, values: [name, token, leaseMs / 1_000] });
    if (rowCount === 1) return { token, endsAt, handovers: 0 };
    if (performance.now() > deadline) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    await pause(randomInt(askAgainMs, 2 * askAgainMs));
  }
}

/** Passes the lease on, or gives it back first: whoever comes next in this process must not find its own row still taken. */
function leave(state: State, name: string, lease: Lease | undefined, pass: Pass): void {
  const line = state.lines.get(name);
  if (line === undefined) return;
  line.length -= 1;
  const isLasting = lease !== undefined && lease.handovers < handoversMax && isYoung(lease, state);
  if (line.length > 0 && isLasting) {
    pass({ ...lease, handovers: lease.handovers + 1 });
    return;
  }
  const done = (): void => {
    if (line.length === 0) state.lines.delete(name);
    pass(undefined);
  };
  if (lease === undefined) done();
  else giveBack(state, name, lease).then(done, done);
}

function isYoung({ endsAt }: Lease, { leaseMs }: State): boolean {
  return endsAt - performance.now() > leaseMs / 2;
}

/** Where this fails the lease ends by itself. */
async function giveBack({ database }: State, name: string, { token }: Lease): Promise<void> {
  await database.pool.query({ ...giveLeaseBack, values: [name, token] }).catch(() => undefined);
}
