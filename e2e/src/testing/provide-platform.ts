import { rmSync } from 'node:fs';
import { newDataDir, startAllInOne, type RunningInstallation } from './installation.js';
import { killLeftPrograms } from './program.js';

/** What a suite knows of the platform that it shares with others. */
export type PlatformFacts = Pick<
  RunningInstallation,
  'baseUrl' | 'masterKey' | 'metricsUrl' | 'buyerId' | 'sandboxUrl' | 'curl'
> & {
  /** The origin, without the prefix of the API. */
  readonly url: string;
  readonly dataDir: string;
  readonly internalSecret: string;
};

export type ProvidedPlatform = PlatformFacts & { readonly stop: () => Promise<void> };

const internalSecret = 'a-secret-of-the-shared-platform';

/**
 * Starts the platform of one test run, for all suites that leave each other alone: they have users and marketplaces of their own, arm no
 * faults and stop nothing. `stop` fails when a message was parked.
 * @public Loaded by jest-global-setup.cjs.
 */
export async function providePlatform(): Promise<ProvidedPlatform> {
  const dataDir = newDataDir();
  const settings = { INTERNAL_SECRET: internalSecret, LOG_LEVEL: 'warn' };
  const { signal, ended, baseUrl, masterKey, metricsUrl, buyerId, sandboxUrl, curl } = await startAllInOne(dataDir, settings);
  return {
    url: new URL(baseUrl).origin,
    baseUrl,
    masterKey,
    metricsUrl,
    buyerId,
    sandboxUrl,
    curl,
    dataDir,
    internalSecret,
    stop: async () => {
      signal('SIGTERM');
      await ended;
      await killLeftPrograms();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
