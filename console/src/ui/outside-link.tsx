import { httpsAddress } from '../data/https-address.js';

/** An address from outside: a link where following it is safe, and text in any other case. */
export function OutsideLink({ address }: { readonly address: string }) {
  const href = httpsAddress(address);
  if (href === undefined) return <span className="hf-outside">{address}</span>;
  return (
    <a className="hf-outside" href={href} target="_blank" rel="noopener noreferrer">
      {address}
    </a>
  );
}
