import type { Holdfast } from '@holdfast/sdk';
import type { SandboxControl } from '../sandbox/control.js';

/** What a flow plays with. */
export type Stage = {
  readonly client: Holdfast;
  readonly sandbox: SandboxControl;
  /** Values of `--param`, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Prints a step that was done. */
  readonly step: (name: string, id: string, status: string) => void;
};

/** Plays everything that leads to an event, and returns the record that it is about. */
export type Flow = {
  readonly description: string;
  /** The names of its `--param`. */
  readonly params: readonly string[];
  readonly play: (stage: Stage) => Promise<unknown>;
};
