import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generate } from 'selfsigned';

/** A certificate that is its own authority, as texts for a server and as a file for its clients. */
export type Certificate = { readonly cert: string; readonly key: string; readonly certFile: string };

const dnsName = 2;

/** The certificate names `localhost`, but not 127.0.0.1, so that a client can meet both a right name and a wrong one. */
export async function selfSignedCertificate(folder: string): Promise<Certificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: dnsName, value: 'localhost' }] },
    ],
  });
  const certFile = path.join(folder, `${randomBytes(4).toString('hex')}.pem`);
  writeFileSync(certFile, cert);
  return { cert, key, certFile };
}
