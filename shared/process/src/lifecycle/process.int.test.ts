import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtFile } from '@holdfast/testing/built-file';

describe('a process that runs until a signal', () => {
  async function run(
    mode: string,
    act: (child: ReturnType<typeof spawn>) => void,
  ): Promise<{ code: number | null; output: string }> {
    const script = builtFile(new URL('testing/process-under-test.ts', import.meta.url));
    const child = spawn(process.execPath, [script, mode], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (chunk.toString().includes('ready')) act(child);
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  }

  it.each(['SIGTERM', 'SIGINT'] as const)('stops its parts and exits with 0 on %s', async (signal) => {
    const { code, output } = await run('quick', (child) => child.kill(signal));
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('part stopped') });
  });

  it('announces its stop and still serves for the delay, before its parts stop', async () => {
    const { code, output } = await run('announcing', (child) => child.kill('SIGTERM'));
    expect(code).toBe(0);
    expect(output).toMatch(/announced, aborted: false\nstop announced\nstopping\n[^]*part stopped\n/);
  });

  it('takes a signal that is repeated at once for the same one, as npm and a terminal both send it', async () => {
    const { code, output } = await run('signalled-again', (child) => {
      child.kill('SIGINT');
      child.kill('SIGTERM'); // a second SIGINT might arrive before the first is handled, and would be lost
    });
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('part stopped') });
  });

  it('exits at once on a second signal, which is sent more than a second after the first', async () => {
    let pressing: NodeJS.Timeout | undefined;
    const begun = performance.now();
    const { code, output } = await run('hanging', (child) => {
      pressing = setInterval(() => child.kill('SIGINT'), 100);
    });
    clearInterval(pressing);
    expect([code, performance.now() - begun > 1_000]).toEqual([130, true]);
    expect(output).not.toContain('part stopped');
  });

  it.each(['throws', 'rejects'])('stops its parts and exits with 1 when uncaught code %s', async (mode) => {
    const { code, output } = await run(mode, () => undefined);
    expect(code).toBe(1);
    expect(output).toMatch(/(uncaught exception|unhandled rejection)[^]*part stopped/);
  });
});
