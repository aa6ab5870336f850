import * as messages from './index.js';

function isMessage(value: unknown): value is messages.MessageDeclaration {
  return typeof value === 'object' && value !== null && 'visibility' in value && 'payload' in value;
}

it('every declared message is in the list of its aggregate, without which it has no queue', () => {
  const declared = Object.values<unknown>(messages).filter(isMessage);
  expect(declared.filter((message) => !messages.allMessages.includes(message)).map(({ type }) => type)).toEqual([]);
  expect(declared).toHaveLength(messages.allMessages.length);
});
