import type { EntitySchema } from 'typeorm';
import type { z } from 'zod';
import type { Broker } from '@holdfast/messaging/broker';
import type { CallerSigner } from '@holdfast/http/caller';
import type { Clock } from '@holdfast/kernel/instants';
import type { Log } from '@holdfast/kernel/context';
import type { ServiceName } from '@holdfast/contracts/services';
import type { BoundRoute } from '@holdfast/http/server';
import type { NewId } from '@holdfast/kernel/ids';
import type { MetricDeclaration, Metrics } from '@holdfast/observability';
import type { Outbox } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import type { Job, WakeJob } from '@holdfast/work';
import type { SettingsSchema } from '@holdfast/process/config';
import type { Lifecycle } from '@holdfast/process/lifecycle';
import type { BoundConsumer } from './consumers.js';
import type { WakeReplicas } from './wake-replicas.js';

/** Declares a service. The same definition runs in its own process and in all-in-one. */
export type ServiceDefinition<Settings extends SettingsSchema = SettingsSchema> = {
  readonly name: ServiceName;
  /** Folders with the SQL files of shared tables that the service uses, such as intents. They are applied before its own. */
  readonly sharedMigrations?: readonly string[];
  /** The folder with the numbered SQL files of the service. */
  readonly migrations: URL;
  /** The settings of the service, in addition to the settings of every process. */
  readonly settings: Settings;
  readonly entities: readonly EntitySchema[];
  /** The metrics of its `metrics.ts`, in addition to the metrics of every service. */
  readonly metrics?: readonly MetricDeclaration[];
  /**
   * Builds the service. HTTP and consumers start after it has returned. It is a method, because method parameters are bivariant:
   * services with different settings fit into one list.
   */
  create(runtime: ServiceRuntime<z.output<Settings>>): ServiceParts | Promise<ServiceParts>;
};

/** Infers the type of the settings, so that `create` receives a typed `config`. */
export function defineService<Settings extends SettingsSchema>(
  definition: ServiceDefinition<Settings>,
): ServiceDefinition<Settings> {
  return definition;
}

/** The dependencies that `create` receives. */
export type ServiceRuntime<Config = unknown> = {
  readonly config: Config;
  readonly database: Database;
  readonly broker: Broker;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  /** Signs the caller token of requests to other services. */
  readonly signer: CallerSigner;
  /** Derives a 32-byte key from the secret of the installation and the purpose. */
  readonly deriveKey: (purpose: string) => Buffer;
  /** Wakes up a job of this process, after a commit that gave it something to do. */
  readonly wake: WakeJob;
  /** For work that this process cannot do itself, and for what every replica must see soon. */
  readonly wakeReplicas: WakeReplicas;
};

export type ServiceParts = {
  readonly routes: readonly BoundRoute[];
  readonly consumers: readonly BoundConsumer[];
  /** Set when the service starts its consumers itself. It must then check that every declared message has a handler. */
  readonly bindsOwnConsumers?: true;
  readonly jobs?: readonly Job[];
  /** Readiness checks in addition to database and broker. A check throws when its dependency is not ready. */
  readonly readiness?: Readonly<Record<string, () => Promise<void>>>;
};
