import type { Environment } from '@holdfast/service-host/config';
import type { Clock, Log } from '@holdfast/kernel/context';
import type { Lifecycle } from '@holdfast/service-host/lifecycle';
import type { Settings } from './config.js';
import type { DataFolder, Secrets } from './data-folder/index.js';
import type { DemoUsers } from './demo-users.js';
import type { Progress } from './progress.js';
import type { MetricsAddress } from './service-addresses.js';

/** What is there before anything runs. Both ways of running everything begin with it. */
export type StartupContext = {
  readonly config: Settings;
  readonly env: Environment;
  readonly folder: DataFolder;
  readonly secrets: Secrets;
  /** Where the API will be served: free a moment ago. */
  readonly port: number;
  readonly clock: Clock;
  readonly lifecycle: Lifecycle;
  readonly logFor: (part: string) => Log;
  readonly onProgress: Progress;
  /** Something that cannot be mended has happened: stops everything, and the exit code is 1. */
  readonly onFatal: (fact: string) => void;
};

/** What both ways end with. */
export type Started = {
  readonly url: string;
  readonly databaseUrl: string;
  readonly ordersUrl: string;
  readonly amqpUrl: string | undefined;
  /** Undefined where the outside systems are real ones. */
  readonly sandboxUrl: string | undefined;
  /** What of it is kept in the data folder, in words. */
  readonly kept: readonly string[];
  /** Where each part serves its metrics. */
  readonly metrics: readonly MetricsAddress[];
  readonly demo: DemoUsers;
};
