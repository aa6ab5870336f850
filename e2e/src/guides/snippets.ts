import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { processEnvironment, type Environment } from '@holdfast/process/config';
import { repository } from '../architecture/planted-tree.js';

/** A fenced block of a page. The marks follow the language: `sh public-network` needs a public network. */
export type Snippet = { readonly language: string; readonly marks: readonly string[]; readonly text: string };

/** Texts of a page and what stands in for them on this platform. */
export type Replacements = Readonly<Record<string, string>>;

const programTimeoutMs = 200_000;

export function readPage(page: string): string {
  return readFileSync(path.join(repository, page), 'utf8');
}

export function snippetsIn(markdown: string): readonly Snippet[] {
  return [...markdown.matchAll(/^```([^\n]*)\n([^]*?)^```$/gm)].map(([, info = '', text = '']) => {
    const [language = '', ...marks] = info.split(' ');
    return { language, marks, text };
  });
}

/** The commands that a reader pastes into a shell, one block after the other. */
export function commandsIn(markdown: string): string {
  return joined(markdown, ['', 'sh']);
}

/** The TypeScript of a page is one program. */
export function programIn(markdown: string): string {
  return joined(markdown, ['ts']);
}

function joined(markdown: string, languages: readonly string[]): string {
  const isRun = ({ language, marks }: Snippet): boolean => languages.includes(language) && marks.length === 0;
  return snippetsIn(markdown)
    .filter(isRun)
    .map(({ text }) => text)
    .join('');
}

export function replaceIn(text: string, replacements: Replacements): string {
  return Object.entries(replacements).reduce((replaced, [from, to]) => replaced.replaceAll(from, to), text);
}

/** What a person who pastes these commands into a shell sees. `holdfast` is the built CLI, and files go to a folder that is deleted. */
export async function pasteIntoShell(commands: string, env: Environment = {}): Promise<string> {
  const holdfast = `holdfast() { '${process.execPath}' '${path.join(repository, 'dist/holdfast.js')}' "$@"; }`;
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-shell-'));
  try {
    return await run('bash', ['-e', '-o', 'pipefail', '-c', `cd '${folder}'\n${holdfast}\n${commands}`], env);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a program and returns what it printed. Fails with both of its outputs. */
export async function run(command: string, args: readonly string[], env: Environment = {}): Promise<string> {
  const options = { env: { ...processEnvironment(), ...env }, timeout: programTimeoutMs };
  try {
    return (await promisify(execFile)(command, [...args], options)).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${path.basename(command)} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}
