import type { AdmissionSettings } from '@holdfast/gateway';
import type { Environment } from '@holdfast/process/config';
import type { Clock, Log } from '@holdfast/kernel/context';
import type { Lifecycle } from '@holdfast/process/lifecycle';
import type { Settings } from './config.js';
import type { DataFolder, Secrets } from './data-folder/index.js';
import type { DemoUsers } from './demo-users.js';
import type { Progress } from './progress.js';
import type { MetricsAddress, ServiceAddresses } from './service-addresses.js';

/** What exists before anything is started, for `npm start` and for `npm run start:distributed`. */
export type StartupContext = {
  readonly config: Settings;
  readonly env: Environment;
  readonly folder: DataFolder;
  readonly secrets: Secrets;
  /** The port of the API; it was free when it was chosen. */
  readonly port: number;
  readonly clock: Clock;
  readonly lifecycle: Lifecycle;
  readonly logFor: (service: string) => Log;
  readonly onProgress: Progress;
  /** Stops everything after a fault that cannot be corrected at run time; the exit code is 1. */
  readonly onFatal: (fact: string) => void;
};

export type RateLimitSettings = Pick<AdmissionSettings, 'rateLimitMax' | 'rateLimitWindowSeconds'>;

/** The result of a start. */
export type Started = {
  readonly url: string;
  readonly databaseUrl: string;
  readonly serviceUrls: ServiceAddresses['urls'];
  readonly amqpUrl: string | undefined;
  /** Undefined where the external systems are real ones. */
  readonly sandboxUrl: string | undefined;
  /** What the data folder holds of it, for the banner. */
  readonly kept: readonly string[];
  /** Where each process serves its metrics and health checks. */
  readonly metrics: readonly MetricsAddress[];
  readonly demo: DemoUsers;
  /** With a one-time code where this process can exchange it; undefined where the console is switched off. */
  readonly consoleUrl: string | undefined;
  readonly rateLimit: RateLimitSettings;
};
