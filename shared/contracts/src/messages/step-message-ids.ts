import type { Instant } from '@holdfast/kernel/context';
import { idFromParts, type MessageId } from '@holdfast/kernel/ids';

/** A step that publishes messages. All its values are stored, so that a repeated step has the same ones. */
export type PublishingStep = {
  /** The saga run or, outside of sagas, the handled message. */
  readonly cause: string;
  /** The name of the step within the run: the type of the message that it handles. */
  readonly name: string;
  /** When the message that it handles occurred, or when the request was received. */
  readonly at: Instant;
};

/**
 * The ids of the messages that a step publishes, by message type or audit action. They are time-ordered, the same for a repeat of
 * the step, and different for several messages of one type, which are numbered in the order of the calls. See ADR 0049.
 */
export function stepMessageIds({ cause, name, at }: PublishingStep): (typeOrAction: string) => MessageId {
  const counts = new Map<string, number>();
  return (typeOrAction) => {
    const position = counts.get(typeOrAction) ?? 0;
    counts.set(typeOrAction, position + 1);
    return idFromParts('evt', at, [cause, name, typeOrAction, position.toString()]);
  };
}
