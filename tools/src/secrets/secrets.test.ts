import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { secretReaders } from './readers.js';
import { provideSecrets, replaceSecret } from './secret-folder.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(file: string): string {
  return readFileSync(path.join(folder, file), 'utf8').trim();
}

function everything(): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return files.filter((file) => statSync(path.join(folder, file)).isFile()).map((file) => `${file}: ${read(file)}`);
}

describe('the secrets of the containers', () => {
  it('are generated once and stay what they are', () => {
    provideSecrets(folder);
    const first = everything();
    provideSecrets(folder);
    expect(everything()).toEqual(first);
  });

  it('reach exactly the containers that read them', () => {
    provideSecrets(folder);
    const given = Object.keys(secretReaders).map((reader) => [reader, readdirSync(path.join(folder, reader)).sort()]);
    const listed = Object.entries(secretReaders).map(([reader, { files }]) => [reader, Object.keys(files).sort()]);
    expect(given).toEqual(listed);
    const withSeed = everything().filter((line) => line.includes(read('originals/TREASURY_SEED')));
    expect(withSeed.map((line) => line.split(':')[0])).toEqual(['escrow-adapter/TREASURY_SEED', 'originals/TREASURY_SEED']);
  });

  it('agree between those that share one', () => {
    provideSecrets(folder);
    expect(read('sandbox/SANDBOX_ESCROW_API_KEY')).toBe(read('escrow-adapter/ESCROW_PROVIDER_API_KEY'));
    expect(read('sandbox/SANDBOX_PAYMENT_PASSWORD')).toBe(read('payments/PAYMENT_PROVIDER_SECRET'));
    expect(read('rabbitmq/rabbitmq.conf')).toContain(new URL(read('orders/AMQP_URL')).password);
    expect(new URL(read('migrate/DATABASE_URL')).password).toBe(read('postgres/POSTGRES_PASSWORD'));
  });

  it('can be read only by their reader', () => {
    provideSecrets(folder);
    const modes = readdirSync(path.join(folder, 'gateway')).map(
      (file) => statSync(path.join(folder, 'gateway', file)).mode & 0o777,
    );
    expect(new Set(modes)).toEqual(new Set([0o400]));
  });

  it('can be replaced by the keys of a provider', () => {
    provideSecrets(folder);
    const before = everything().length;
    replaceSecret(folder, 'PAYMENT_PROVIDER_KEY', 'issued-by-the-provider');
    expect(read('payments/PAYMENT_PROVIDER_KEY')).toBe('issued-by-the-provider');
    expect(everything()).toHaveLength(before);
  });
});
