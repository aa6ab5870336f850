import type { EntitySchema } from 'typeorm';
import type { z } from 'zod';
import type { Broker } from '@holdfast/messaging/broker';
import type { CallerSigner } from '@holdfast/http/caller';
import type { Clock, Log } from '@holdfast/kernel/context';
import type { ServiceName } from '@holdfast/contracts/services';
import type { BoundRoute } from '@holdfast/http/server';
import type { NewId } from '@holdfast/kernel/ids';
import type { Metrics } from '@holdfast/observability';
import type { Outbox } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import type { SettingsSchema } from './config/index.js';
import type { Lifecycle } from './lifecycle/index.js';
import type { BoundConsumer } from './consumers.js';

/** What every service is made of, however it is run. */
export type ServiceDefinition<Settings extends SettingsSchema = SettingsSchema> = {
  readonly name: ServiceName;
  /** The folder of numbered SQL files. */
  readonly migrations: URL;
  /** Settings of its own, beyond those every process has. */
  readonly settings: Settings;
  readonly entities: readonly EntitySchema[];
  /**
   * Builds the service, top to bottom, with plain calls. Nothing is served or consumed before it has returned.
   * Written as a method so that services with different settings fit into one list.
   */
  create(runtime: ServiceRuntime<z.output<Settings>>): ServiceParts | Promise<ServiceParts>;
};

/** Keeps the types of a service's settings from its declaration to its `create`. */
export function defineService<Settings extends SettingsSchema>(
  definition: ServiceDefinition<Settings>,
): ServiceDefinition<Settings> {
  return definition;
}

/** What a service is given to build itself from. */
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
  /** Signs what this service asks of others. */
  readonly signer: CallerSigner;
  /** 32 bytes that follow from the secret of the installation and from nothing else than this purpose. */
  readonly deriveKey: (purpose: string) => Buffer;
};

export type ServiceParts = {
  readonly routes: readonly BoundRoute[];
  readonly consumers: readonly BoundConsumer[];
  /** Where the service begins to consume by itself, at a moment of its own. It then sees to it that none is forgotten. */
  readonly bindsOwnConsumers?: true;
  readonly jobs?: readonly Job[];
  /** Parts beyond database and broker that must answer before the service counts as ready. Each throws when it does not. */
  readonly readiness?: Readonly<Record<string, () => Promise<void>>>;
};

/** Work that repeats. Runs never overlap; a failed run is logged and counted, and the next one comes as usual. */
export type Job = {
  readonly name: string;
  readonly everyMs: number;
  /** The signal is aborted at the time limit of a run and when the process stops. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly timeoutMs?: number;
};
