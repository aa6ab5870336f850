import type { Log } from '@holdfast/kernel/context';

export type TracingOptions = {
  /** The name that the receiver shows. */
  readonly service: string;
  readonly version?: string;
  /** The base URL of an OTLP/HTTP receiver. Undefined means that nothing is traced. */
  readonly endpoint: string | undefined;
  /** The share of traces that are recorded, from 0 to 1. The gateway decides for all that follows from a request. */
  readonly sampleRatio: number;
  readonly log: Log;
};

export type Tracing = {
  /** Sends the spans that are left, within a time limit, and ends tracing. Never rejects. */
  readonly stop: () => Promise<void>;
};
