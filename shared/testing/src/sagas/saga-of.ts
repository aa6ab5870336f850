import type { MessageDeclaration } from '@holdfast/contracts/messages';
import { allSagas, awaitedBy } from '@holdfast/contracts/sagas';

/** The first saga with a step that waits for the message: the default saga of a message that a test publishes. */
export function sagaOf({ type }: Pick<MessageDeclaration, 'type'>): { readonly saga?: string } {
  const found = allSagas.find(({ steps }) =>
    Object.values(steps)
      .flatMap(awaitedBy)
      .some((awaited) => awaited.type === type),
  );
  return found === undefined ? {} : { saga: found.name };
}
