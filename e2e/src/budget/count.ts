import { closeSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { findRunning } from '@holdfast/all-in-one';
import { runAsAdmin } from '@holdfast/testing/postgres';

/** What an installation has done within a time. */
export type Counts = {
  readonly seconds: number;
  readonly commits: number;
  /** Messages that a consumer has acted on. */
  readonly messages: number;
  /** How often each statement was executed, by service and name. */
  readonly statements: ReadonlyMap<string, number>;
  /** Calls to outside systems, by system and operation. */
  readonly calls: ReadonlyMap<string, number>;
};

type Reading = Pick<Counts, 'messages' | 'calls'>;

export type Counter = {
  /** Counts what happens while `work` runs. */
  readonly during: (work: () => Promise<void>) => Promise<Counts>;
};

const inboxes = ['identity', 'ledger_balance', 'orders', 'escrow_adapter', 'payments', 'notifications'];

/** Counts on an installation with an embedded database, which logs every statement from now on. */
export async function openCounter(dataDir: string): Promise<Counter> {
  const running = findRunning(dataDir);
  const databaseUrl = running?.databaseUrl ?? '';
  await runAsAdmin(databaseUrl, `alter system set log_statement = 'all'`);
  await runAsAdmin(databaseUrl, 'select pg_reload_conf()');
  const logFile = path.join(dataDir, 'postgres', 'server.log');
  const read = async (): Promise<Reading> => ({
    messages: await messagesIn(databaseUrl),
    calls: await callsOf(Object.values(running?.metricsUrls ?? {})),
  });
  return {
    during: async (work) => {
      const before = await read();
      const worked = await loggedDuring(logFile, work);
      const after = await read();
      return { ...worked, messages: after.messages - before.messages, calls: less(after.calls, before.calls) };
    },
  };
}

/** Only what `work` does: reading the other counts executes statements, too. */
async function loggedDuring(
  logFile: string,
  work: () => Promise<void>,
): Promise<Pick<Counts, 'seconds' | 'statements' | 'commits'>> {
  const [from, startedAtMs] = [statSync(logFile).size, performance.now()];
  await work();
  const [to, endedAtMs] = [statSync(logFile).size, performance.now()];
  return { ...statementsIn(textOf(logFile, from, to)), seconds: (endedAtMs - startedAtMs) / 1_000 };
}

/** What happened beyond what happens at rest in the same time, per piece of work. */
export function perPiece(counts: Counts, atRest: Counts, pieces: number): Omit<Counts, 'seconds'> {
  const share = counts.seconds / atRest.seconds;
  const each = (amount: number, resting: number): number => (amount - resting * share) / pieces;
  const eachOf = (found: ReadonlyMap<string, number>, resting: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
    new Map([...found].map(([name, amount]) => [name, each(amount, resting.get(name) ?? 0)]));
  return {
    commits: each(counts.commits, atRest.commits),
    messages: each(counts.messages, atRest.messages),
    statements: eachOf(counts.statements, atRest.statements),
    calls: eachOf(counts.calls, atRest.calls),
  };
}

export function sumOf(counted: ReadonlyMap<string, number>): number {
  return [...counted.values()].reduce((sum, amount) => sum + amount, 0);
}

/** The rows of the table that the test prints, the largest first. */
export function rowsOf(counted: ReadonlyMap<string, number>): readonly string[] {
  return [...counted]
    .filter(([, amount]) => amount >= 0.05)
    .sort(([, one], [, other]) => other - one)
    .map(([name, amount]) => `${amount.toFixed(1).padStart(7)}  ${name}`);
}

async function messagesIn(databaseUrl: string): Promise<number> {
  const handled = inboxes.map((schema) => `select count(*) as handled from ${schema}.inbox`).join(' union all ');
  const text = `select sum(handled)::int as messages from (${handled}) as inboxes`;
  const [row] = await runAsAdmin<{ readonly messages: number }>(databaseUrl, text);
  return row?.messages ?? 0;
}

const callLine = /^holdfast_provider_call_duration_seconds_count\{(.*)\} (\d+)$/gm;

async function callsOf(metricsUrls: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const pages = await Promise.all(metricsUrls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
  const calls = new Map<string, number>();
  for (const [, labels = '', count] of pages.flatMap((page) => [...page.matchAll(callLine)])) {
    const name = `${labelIn(labels, 'provider')} ${labelIn(labels, 'operation')}`;
    calls.set(name, (calls.get(name) ?? 0) + Number(count));
  }
  return calls;
}

function labelIn(labels: string, name: string): string {
  return new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1] ?? '';
}

function less(after: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)]));
}

function textOf(file: string, from: number, to: number): string {
  const bytes = Buffer.alloc(to - from);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, bytes, 0, bytes.length, from);
  closeSync(descriptor);
  return bytes.toString();
}

/**
 * A line begins with the time, the process and the name of the application (`log_line_prefix` of the embedded server). The further lines of a
 * statement begin with a tab.
 */
const statementLine =
  /^\S+ \S+ \S+ \[(\d+)\] holdfast-(\S+) LOG: {2}(?:statement: (.*(?:\n\t.*)*)|execute ([^:]+): *(.*(?:\n\t.*)*))$/gm;
const [begins, ends] = [/^(?:begin|start transaction)/i, /^(?:commit|rollback)/i];

type Executed = { readonly connection: string; readonly title: string; readonly text: string };

function executedIn(log: string): readonly Executed[] {
  return [...log.matchAll(statementLine)].map(([, connection = '', service = '', ...parts]) => {
    const [plain, name, prepared] = parts.map((part: string | undefined) => part ?? '');
    const text = `${plain ?? ''}${prepared ?? ''}`.trim();
    const isNamed = name !== undefined && !['', '<unnamed>'].includes(name);
    return { connection, text, title: `${service}: ${isNamed ? name : shortened(text)}` };
  });
}

/** A statement outside a transaction is one commit, and so is a transaction. */
function statementsIn(log: string): Pick<Counts, 'statements' | 'commits'> {
  const statements = new Map<string, number>();
  const inTransaction = new Set<string>();
  let commits = 0;
  for (const { connection, title, text } of executedIn(log)) {
    statements.set(title, (statements.get(title) ?? 0) + 1);
    if (begins.test(text)) inTransaction.add(connection);
    else if (ends.test(text)) inTransaction.delete(connection);
    if (!inTransaction.has(connection)) commits += 1;
  }
  return { statements, commits };
}

function shortened(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 90);
}
