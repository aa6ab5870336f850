import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What a person sees who runs the file with that version of Node. */
function runWith(version: string, file: string): { readonly status: number | null; readonly output: string } {
  const claim = `data:text/javascript,Object.defineProperty(process,'version',{value:'${version}'})`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', claim, file], { cwd: root, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

/** Our files that the commands of package.json begin with; jest begins with its configuration. */
function firstFiles(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  const started = Object.values(scripts).flatMap((script) => /^(?:exec )?node (\S+)/.exec(script)?.[1] ?? []);
  return [...new Set([...started, 'jest.config.cjs'])];
}

describe('a Node that is too old', () => {
  it.each(firstFiles())('%s says so in one sentence, and does nothing else', (file) => {
    const sentence = /^Holdfast needs Node 20\.19 or newer, and this is Node 18\.20\.4: [^\n]*\n$/;
    expect(runWith('v18.20.4', file)).toEqual({ status: 1, output: expect.stringMatching(sentence) });
  });

  it.each([
    ['v20.18.3', 1],
    ['v20.19.0', 0],
    ['v22.3.0', 0],
    ['v24.0.0', 0],
  ])('%s ends with %i', (version, status) => {
    expect(runWith(version, 'tools/require-node.cjs').status).toBe(status);
  });
});
