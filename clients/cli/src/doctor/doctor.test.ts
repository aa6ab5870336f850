import { ofRuns } from './add-doctor.js';
import { checkNode, ofDisk } from './machine.js';
import { ofClock, ofDependencies, ofVersion } from './platform.js';

const gibibyte = 1_024 ** 3;
const at = Date.parse('2026-11-18T12:00:00Z');
const dated = (text: string) => ({ headers: new Headers({ date: text }) });

describe('doctor', () => {
  it('warns of a Node that is out of support', () => {
    expect(checkNode('v20.19.0')).toMatchObject({ status: 'warning', todo: 'Install Node 22 or 24.' });
    expect(checkNode('v24.1.0')).toMatchObject({ status: 'ok' });
  });

  it('warns of a disk that gets full, and fails for one that is', () => {
    expect([10, 1, 0.1].map((free) => ofDisk(free * gibibyte, '/').status)).toEqual(['ok', 'warning', 'failed']);
  });

  it('fails for another version', () => {
    expect(ofVersion('1.2.0', '1.1.0')).toMatchObject({ status: 'failed', found: 'the platform has 1.2.0, this program 1.1.0' });
    expect(ofVersion('1.2.0', '1.2.0')).toMatchObject({ status: 'ok' });
  });

  it('fails for clocks that differ', () => {
    expect(ofClock(dated('Wed, 18 Nov 2026 12:00:05 GMT'), at)).toMatchObject({ status: 'ok', found: 'differs by 5 s' });
    expect(ofClock(dated('Wed, 18 Nov 2026 12:02:00 GMT'), at)).toMatchObject({ status: 'failed' });
    expect(ofClock({ headers: new Headers() }, at)).toMatchObject({ status: 'warning' });
  });

  it('fails for a dependency that is unhealthy, with its reason', () => {
    const dependencies = {
      database: { status: 'healthy', latencyMs: 1 },
      broker: { status: 'unhealthy', latencyMs: 9, error: 'refused' },
    } as const;
    expect(ofDependencies({ dependencies })).toMatchObject([
      { status: 'ok' },
      { name: 'broker', status: 'failed', found: 'unhealthy: refused' },
    ]);
  });

  it('fails for a run that needs a person, and warns of stalled ones', () => {
    const run = { id: 'run_1', saga: 'fund', retryStoppedReason: null, attempts: 0 };
    expect(ofRuns([run])).toMatchObject({ status: 'ok', found: '1 open, none stalled' });
    expect(ofRuns([run, { ...run, attempts: 7 }])).toMatchObject({ status: 'warning', found: '1 stalled of 2 open' });
    expect(ofRuns([{ ...run, retryStoppedReason: 'contradicted' }])).toMatchObject({
      status: 'failed',
      todo: expect.stringContaining('holdfast sagas show run_1'),
    });
  });
});
