import type { ParkedSummary } from '@holdfast/contracts/http';
import type { Database } from '@holdfast/postgres';
import { createBatcher, type Batcher } from '../batching/index.js';
import { parkedReasonOf, type ParkedStore, type RawMessage, type UnhandledMessage } from '../broker/index.js';
import {
  countParked,
  deleteParked,
  markRedriven,
  parkMessage,
  selectParked,
  selectSummaries,
  selectToRedrive,
} from './statements.js';

/** A message that waits for an operator. */
export type ParkedMessage = Omit<UnhandledMessage, 'body'> & {
  readonly parkedAt: string;
  /** When an operator has sent it back to its queue; undefined if it was not sent back since it was parked. */
  readonly redrivenAt: string | undefined;
  /** The parsed JSON, or the text if it is not JSON. */
  readonly body: unknown;
};

/** A range of the parked messages: those that were parked before `parkedBefore`, in the order of their ids. */
export type RedriveRange = {
  readonly parkedBefore: string;
  readonly afterId: string;
  readonly messageIds: readonly string[] | undefined;
  readonly countMax: number;
};

/** The parked messages of a service, in its own schema. See ADR 0046. */
export type ParkedMessages = ParkedStore & {
  /** The oldest come first. */
  readonly list: (countMax: number) => Promise<readonly ParkedMessage[]>;
  /** The same without their content. */
  readonly summaries: (countMax: number) => Promise<readonly ParkedSummary[]>;
  readonly count: () => Promise<number>;
  readonly readRange: (range: RedriveRange) => Promise<readonly RawMessage[]>;
  /** Records that the messages were sent back, except for those that were parked again meanwhile. */
  readonly markRedriven: (messageIds: readonly string[], parkedBefore: string) => Promise<void>;
  /** The time of the database. */
  readonly now: () => Promise<string>;
};

const listMax = 1_000;

export function parkedMessages(pool: Database['pool']): ParkedMessages {
  const removing = createRemover(pool);
  return {
    park: async ({ messageId, type, body, attempts, reason }) => {
      await pool.query({ ...parkMessage, values: [messageId, type, body, attempts, reason] });
    },
    removeHandled: (messageId) => removing.submit(messageId),
    list: async (countMax) => {
      const { rows } = await pool.query<ParkedRow>({ text: selectParked, values: [Math.min(countMax, listMax)] });
      return rows.map(toParked);
    },
    summaries: async (countMax) => {
      const { rows } = await pool.query<SummaryRow>({ text: selectSummaries, values: [Math.min(countMax, listMax)] });
      return rows.map((row) => ({ ...row, reason: parkedReasonOf(row.reason) }));
    },
    count: async () => {
      const { rows } = await pool.query<{ readonly count: number }>(countParked);
      return rows[0]?.count ?? 0;
    },
    readRange: async ({ parkedBefore, afterId, messageIds, countMax }) => {
      const values = [parkedBefore, afterId, messageIds ?? null, countMax];
      return (await pool.query<RawMessage>({ text: selectToRedrive, values })).rows;
    },
    markRedriven: async (messageIds, parkedBefore) => {
      await pool.query({ text: markRedriven, values: [messageIds, parkedBefore] });
    },
    now: async () => {
      const { rows } = await pool.query<{ readonly now: string }>('select clock_timestamp()::text as now');
      return rows[0]?.now ?? '';
    },
  };
}

const removeMax = 500;
const waitingMax = 10_000;

/** Not a commit: most repeated messages were never parked, so one statement looks for all messages that were handled meanwhile. */
function createRemover(pool: Database['pool']): Batcher<string, undefined> {
  return createBatcher<string, undefined>({
    run: async (messageIds) => {
      await pool.query({ ...deleteParked, values: [messageIds] });
      return messageIds.map(() => ({ status: 'fulfilled', value: undefined }));
    },
    sizeMax: removeMax,
    batchDelayMs: 0,
    inFlightMax: 1,
    waitingMax,
    overflow: () => new Error(`more than ${waitingMax} handled messages wait to be removed from the parked ones`),
  });
}

type ParkedRow = Omit<ParkedMessage, 'body' | 'redrivenAt'> & { readonly body: Buffer; readonly redrivenAt: string | null };

type SummaryRow = Omit<ParkedSummary, 'reason'> & { readonly reason: string };

function toParked(row: ParkedRow): ParkedMessage {
  return { ...row, redrivenAt: row.redrivenAt ?? undefined, body: readableBody(row.body.toString()) };
}

function readableBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
