import { existsSync } from 'node:fs';
import { urlSetting, type Setting } from './setting.js';

/** `allow` and `prefer` would mean a connection without encryption where the server has none, which the driver does not do. */
const sslModes: readonly string[] = ['disable', 'require', 'verify-ca', 'verify-full'];

/** The URL of Postgres, with what libpq knows about TLS: `sslmode`, `sslrootcert`, `sslcert` and `sslkey`. */
export function databaseUrlSetting({ description }: { readonly description: string }): Setting<string> {
  return urlSetting({
    description,
    isSecret: true,
    protocols: ['postgres', 'postgresql'],
    form: {
      expected: `its sslmode, if any, is one of ${sslModes.join(', ')}, verify-ca has an sslrootcert, and the files it names exist`,
      isMet: ({ searchParams }) => isTlsOfPostgres(searchParams),
    },
  });
}

function isTlsOfPostgres(query: URLSearchParams): boolean {
  const mode = query.get('sslmode') ?? 'disable';
  if (!sslModes.includes(mode)) return false;
  if (mode === 'verify-ca' && !query.has('sslrootcert')) return false;
  return doFilesExist(query, ['sslrootcert', 'sslcert', 'sslkey']);
}

/** The URL of RabbitMQ, with what its own clients know about TLS: `cacertfile`, `certfile` and `keyfile`. */
export function amqpUrlSetting({ description }: { readonly description: string }): Setting<string> {
  return urlSetting({
    description,
    isSecret: true,
    protocols: ['amqp', 'amqps'],
    form: {
      expected: 'the files it names as cacertfile, certfile or keyfile exist',
      isMet: ({ searchParams }) => doFilesExist(searchParams, ['cacertfile', 'certfile', 'keyfile']),
    },
  });
}

function doFilesExist(query: URLSearchParams, names: readonly string[]): boolean {
  return names.every((name) => {
    const file = query.get(name);
    return file === null || existsSync(file);
  });
}
