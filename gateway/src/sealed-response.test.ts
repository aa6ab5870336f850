import { createResponseSealer } from './sealed-response.js';

const response = {
  status: 201,
  headers: ['content-type', 'application/json'],
  body: Buffer.from('{"key":"hk_live_secret\\n"}\n'),
};

describe('a sealed response', () => {
  const sealer = createResponseSealer('a secret');

  it('opens to the original, and is not readable while sealed', () => {
    const sealed = sealer.seal(response, 'key_1 a');
    expect(sealer.open(sealed, 'key_1 a')).toEqual(response);
    expect(sealed.toString('latin1')).not.toContain('hk_live');
  });

  it('does not open for another record, altered, or with another secret', () => {
    const sealed = sealer.seal(response, 'key_1 a');
    const altered = Buffer.from(sealed);
    altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1;
    expect(sealer.open(sealed, 'key_2 a')).toBeUndefined();
    expect(sealer.open(altered, 'key_1 a')).toBeUndefined();
    expect(createResponseSealer('another').open(sealed, 'key_1 a')).toBeUndefined();
    expect(sealer.open(Buffer.alloc(3), 'key_1 a')).toBeUndefined();
  });
});
