import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOperatorCommand } from './commands.js';

const operations = fileURLToPath(new URL('../../../docs/operations/', import.meta.url));
/** Pages beside the runbooks that a person opens when something is wrong. */
const otherPages = [
  'backup-and-restore.md',
  'emergency-stop.md',
  'going-live.md',
  'key-rotation.md',
  'reconciliation.md',
  'signing-refused.md',
];
/** They work on the data folder of one machine, start something there, have their own image, or test and measure. */
const otherCommands = ['backup', 'restore', 'reset', 'key', 'migrate', 'start:distributed', 'faults', 'public-network', 'bench'];

const runbooks = readdirSync(path.join(operations, 'runbooks')).map((file) => `runbooks/${file}`);
const pages = [...runbooks, ...otherPages].map((file) => ({ file, text: readFileSync(path.join(operations, file), 'utf8') }));

/** `sagas list` of `npm run sagas -- list`; only the command where no verb follows. */
function namedIn(text: string): ReadonlySet<string> {
  const calls = [...text.matchAll(/npm run ([\w:-]+)(?:\s+--\s+([a-z][\w-]*))?/g)];
  return new Set(calls.map(([, command = '', verb]) => (verb === undefined ? command : `${command} ${verb}`)));
}

function operatorCallsIn(text: string): readonly string[] {
  return [...namedIn(text)].filter((call) => isOperatorCommand(call.split(' ')[0] ?? ''));
}

/** In one line, which may be continued. It ends where the name of the command or its verb ends. */
function hasCall(text: string, start: string, call: string): boolean {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n');
  return lines.some((line) => new RegExp(`${start}.*\\boperator ${call}(?![\\w:-])`).test(line));
}

function problemsOf(text: string): readonly string[] {
  return operatorCallsIn(text).flatMap((call) => [
    ...(hasCall(text, 'docker compose run --rm ', call) ? [] : [`${call} without Docker Compose`]),
    ...(hasCall(text, 'kubectl -n holdfast exec (-i )?deploy/operator -- ', call) ? [] : [`${call} without Kubernetes`]),
  ]);
}

describe('a page with operator commands', () => {
  it.each(pages)('$file says how to call each with Docker Compose and in Kubernetes', ({ text }) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each(pages)('$file names no command that the operator image lacks', ({ text }) => {
    const commands = [...namedIn(text)].map((call) => call.split(' ')[0] ?? '');
    const known = (name: string): boolean => isOperatorCommand(name) || otherCommands.includes(name);
    expect(commands.filter((name) => !known(name))).toEqual([]);
  });

  it('is found when a form is missing', () => {
    const calls = pages.flatMap(({ text }) => operatorCallsIn(text));
    expect(calls.length).toBeGreaterThan(30);
    expect(problemsOf('`npm run sagas -- list`, docker compose run --rm operator sagas listen')).toEqual([
      'sagas list without Docker Compose',
      'sagas list without Kubernetes',
    ]);
  });
});
