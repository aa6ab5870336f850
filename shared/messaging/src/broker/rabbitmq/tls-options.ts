import { readFileSync } from 'node:fs';

/** The files and the name of a TLS connection, as options of Node's socket. */
export type TlsOptions = {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly servername?: string;
};

/**
 * Reads the options that RabbitMQ's own clients take from the query of an `amqps` URL. They are the authority's file (`cacertfile`), the
 * client's certificate and key (`certfile`, `keyfile`), and the name in the server's certificate (`server_name_indication`). The
 * certificate of the server is always verified. Files are read for each connection, so that renewed ones are used.
 */
export function tlsOptions(url: string): TlsOptions {
  const { protocol, searchParams } = new URL(url);
  if (protocol !== 'amqps:') return {};
  const fileOf = (name: string): Buffer | undefined => {
    const file = searchParams.get(name);
    return file === null ? undefined : readFileSync(file);
  };
  const options = {
    ca: fileOf('cacertfile'),
    cert: fileOf('certfile'),
    key: fileOf('keyfile'),
    servername: searchParams.get('server_name_indication') ?? undefined,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
