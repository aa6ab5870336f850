import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chooseWay, provideTool, type Machine, type Situation } from './provide-tool.js';

const bare: Situation = { isRoot: false, hasApt: true, onPath: false, inCache: false, needsLibraries: false };

describe('where a tool comes from', () => {
  it.each<[string, Partial<Situation>, string]>([
    ['the PATH, whatever else is there', { onPath: true, inCache: true, isRoot: true }, 'use-path'],
    ['the cache, when it was unpacked before', { inCache: true, hasApt: false }, 'use-cache'],
    ['an unpacked package', {}, 'unpack'],
    ['an unpacked package for root as well, because nothing has to be installed', { isRoot: true }, 'unpack'],
    ['an unpacked package and its libraries, for a user who cannot install', { needsLibraries: true }, 'unpack'],
    ['an installed package, when it needs libraries and root asks', { needsLibraries: true, isRoot: true }, 'install'],
    ['nowhere, without apt-get', { hasApt: false, isRoot: true }, 'refuse'],
  ])('%s', (_, detail, way) => {
    expect(chooseWay({ ...bare, ...detail })).toBe(way);
  });
});

describe('a provided tool', () => {
  let cacheFolder = '';
  const machine = (): Machine => ({ isRoot: false, hasApt: false, cacheFolder });

  beforeEach(async () => {
    cacheFolder = await mkdtemp(path.join(tmpdir(), 'holdfast-tools-'));
  });

  afterEach(async () => {
    await rm(cacheFolder, { recursive: true, force: true });
  });

  it('is the one on the PATH', async () => {
    const tool = await provideTool({ commands: ['sh'], package: 'dash' }, machine());
    expect(tool.paths.sh).toMatch(/\/sh$/);
    expect(tool.environment).toEqual({});
  });

  it('may have another name', async () => {
    const tool = await provideTool(
      { commands: ['shell'], package: 'dash', otherNames: { shell: ['no-such-shell', 'sh'] } },
      machine(),
    );
    expect(tool.paths.shell).toMatch(/\/sh$/);
  });

  it('is the one of the cache, with the path of its libraries', async () => {
    const program = await unpackedProgram(cacheFolder, 'lib/holdfast/no-such-tool');
    const library = await unpackedProgram(cacheFolder, 'usr/lib/private/libno-such.so.1');
    const options = { package: 'no-such-package', paths: { 'no-such-tool': 'lib/holdfast/no-such-tool' }, needsLibraries: true };
    const tool = await provideTool({ ...options, commands: ['no-such-tool'] }, machine());
    expect(tool.paths['no-such-tool']).toBe(program);
    expect(tool.environment['LD_LIBRARY_PATH']).toBe(path.dirname(library));
  });

  it('is refused with the command to run, when there is none', async () => {
    await expect(provideTool({ commands: ['no-such-tool'], package: 'no-such-package' }, machine())).rejects.toThrow(
      'Run: sudo apt-get update && sudo apt-get install -y no-such-package',
    );
  });

  it('is refused when the package lacks one of its commands', async () => {
    await unpackedProgram(cacheFolder, 'usr/bin/no-such-tool');
    const asked = provideTool({ commands: ['no-such-tool', 'no-other-tool'], package: 'no-such-package' }, machine());
    await expect(asked).rejects.toThrow('There is no no-such-tool and no-other-tool on this machine');
  });
});

async function unpackedProgram(cacheFolder: string, file: string): Promise<string> {
  const program = path.join(cacheFolder, 'no-such-package', file);
  await mkdir(path.dirname(program), { recursive: true });
  await writeFile(program, '#!/bin/sh\n');
  await chmod(program, 0o755);
  return program;
}
