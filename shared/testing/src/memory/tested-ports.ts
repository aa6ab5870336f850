import type { Envelope } from '@holdfast/contracts/messages';
import type { NewId } from '@holdfast/kernel/ids';
import type { KnownUser } from '@holdfast/service-kit/known-users';

/** What a port suite needs beside the ports, on memory and on Postgres alike. */
export type TestedPorts = {
  readonly newId: NewId;
  /** Adds a user to identity. The service does not know it yet. */
  readonly addToIdentity: (user: KnownUser) => void;
  /** Makes everything that is due, and the runs, so much older. */
  readonly pass: (ms: number) => Promise<void>;
  /** All messages that were published, in their order. */
  readonly published: () => Promise<readonly Envelope[]>;
  readonly dispose: () => Promise<void>;
};

/** Test cases of a port suite: title to test. */
export type PortFactsOf<Ports> = Readonly<Record<string, (ports: Ports) => Promise<void>>>;
