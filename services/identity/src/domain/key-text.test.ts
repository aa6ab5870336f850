import { randomBytes } from 'node:crypto';
import { idFactory } from '@holdfast/kernel/ids';
import { keyIdIn, keyText } from './key-text.js';

const newId = idFactory(() => 1_700_000_000_000);
const secret = 'A'.repeat(43);

describe('the text of a key', () => {
  it('contains its id, with any secret', () => {
    for (let round = 0; round < 200; round += 1) {
      const id = newId('key');
      const text = keyText(id, randomBytes(32).toString('base64url'));
      expect([text.length, keyIdIn(text)]).toEqual([78, id]);
    }
  });

  it.each([
    '',
    'hk_live_',
    keyText('key_1', secret),
    keyText('key_01JB2M3N4P5Q6R7S8T9V0W1X2Y', 'A'.repeat(42)),
    keyText('key_01JB2M3N4P5Q6R7S8T9V0W1X2Y', 'A'.repeat(44)),
    keyText('key_01JB2M3N4P5Q6R7S8T9V0W1X2Y', `${'A'.repeat(42)}+`),
    keyText('key_01JB2M3N4P5Q6R7S8T9V0W1X2Y', `${'A'.repeat(42)}B`),
    keyText('key_01jb2m3n4p5q6r7s8t9v0w1x2y', secret),
    `${keyText('key_01JB2M3N4P5Q6R7S8T9V0W1X2Y', secret)}\n`,
    ` ${keyText('key_01JB2M3N4P5Q6R7S8T9V0W1X2Y', secret)}`,
    keyText('key_01JB2M3N4P5Q6R7S8T9V0W1X2Y', secret).replace('live', 'test'),
  ])('is not %j', (text) => {
    expect(keyIdIn(text)).toBeUndefined();
  });
});
