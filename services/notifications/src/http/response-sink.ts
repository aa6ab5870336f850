import type { ServerResponse } from 'node:http';
import type { Sink } from '../use-cases/ports.js';

/** Sink that writes to an HTTP response. */
export function responseSink(response: ServerResponse): Sink {
  return {
    write: (bytes) => void response.write(bytes),
    unsentBytes: () => response.writableLength,
    whenSent: () => (response.writableNeedDrain ? drained(response) : Promise.resolve()),
    end: () => void response.end(),
    destroy: () => void response.destroy(),
    onClose: (listener) => {
      if (response.destroyed) listener();
      else response.once('close', listener);
    },
  };
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
