import { readFileSync } from 'node:fs';
import path from 'node:path';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { repository } from './architecture/planted-tree.js';
import { startCuttingProxy, type CuttingProxy } from './sdk/cutting-proxy.js';
import { createEmptyProject, sourceOf, type EmptyProject } from './sdk/empty-project.js';
import type { PlatformFacts } from './testing/provide-platform.js';
import { openMarketplace, sharedPlatform, type Marketplace } from './testing/shared-platform.js';

jest.setTimeout(300_000);

let project: EmptyProject;
let platform: PlatformFacts;
let marketplace: Marketplace;
let proxy: CuttingProxy;

beforeAll(async () => {
  project = createEmptyProject();
  platform = await sharedPlatform();
  marketplace = await openMarketplace(platform, 'SDK');
  proxy = await startCuttingProxy(platform.url);
}, serverStartTimeoutMs);

afterAll(() => {
  proxy.close();
  project.remove();
});

describe('the package of the SDK', () => {
  it('has no findings of publint', async () => {
    const { publint } = await import('publint');
    const { messages } = await publint({ pack: { tarball: bytesOf(project.tarball).buffer } });
    expect(messages).toEqual([]);
  });

  it('has no findings of @arethetypeswrong', async () => {
    const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
    expect(await checkPackage(createPackageFromTarballData(bytesOf(project.tarball)))).toMatchObject({ problems: [] });
  });

  it('can be required from CommonJS', () => {
    const print = `const { Holdfast, verify } = require('@holdfast/sdk'); console.log(typeof new Holdfast().orders.create, typeof verify)`;
    expect(project.runCommonJs(print)).toBe('function function\n');
  });
});

describe('an empty project with the packed SDK', () => {
  it('plays order, dispute, top-up, withdrawal, stream and webhooks, while connections are cut at every call', async () => {
    const output = await project.run('integration', sourceOf('integration.ts'), proxy.url, marketplace.key, platform.sandboxUrl);
    const { events, received, ...rest } = JSON.parse(output);
    expect(rest).toEqual({
      released: ['CLOSED', 'RELEASED', null],
      resolved: ['RESOLVED', 'SPLIT', '60.00', '40.00'],
      withdrawn: 'WITHDRAWAL_COMPLETED',
      available: '90.00',
      orders: 2,
      isRefused: true,
    });
    expect(events).toMatchObject({ isLagKnown: true, isResumable: true });
    expect(events.disconnects).toBeGreaterThan(0);
    const expected = ['topup.succeeded', 'order.released', 'order.disputed', 'dispute.resolved', 'withdrawal.completed'];
    expect(events.types).toEqual(expect.arrayContaining(expected));
    expect(new Set(events.types)).toEqual(new Set(received.types));
    expect(received.unsigned).toBe(400);
    expect(proxy.cuts()).toBeGreaterThan(30);
  });

  it('runs the snippets of the README as printed', async () => {
    const readme = readFileSync(path.join(repository, 'clients/sdk/README.md'), 'utf8');
    const snippets = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, snippet]) => snippet);
    const program = snippets.join('\n').replaceAll('hk_…', marketplace.key).replaceAll('http://127.0.0.1:8080', platform.url);
    const output = await project.run('readme', `${program}\nprocess.exit(0);\n`);
    expect(output).toContain('CLOSED RELEASED');
    expect(output).toMatch(/^received order\./m);
    expect(output).toContain('there is no such order');
  });
});

function bytesOf(file: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(file));
}
